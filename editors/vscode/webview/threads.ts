// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two threads side by side: a row is a place in program order.
import {Cell, View} from '../src/witness/model';
import {element, scrollWithin} from './dom';

export class Threads {
  readonly root: HTMLElement;
  private readonly scroller: HTMLElement;
  private readonly cells: Array<{cell: Cell; of: HTMLElement}> = [];

  constructor(view: View, go: (step: number) => void) {
    const heads = view.threads.map((each, i) => element(
        'th', {scope: 'col', class: i ? 'second' : 'first'}, each.name,
        each.index ? element('span', {class: 'index'}, ` at ${each.index}`) : undefined));
    const body = element('tbody', {}, ...view.rows.map(row => element('tr', {}, ...row.map(cell => this.cell(cell, go)))));
    this.scroller = element(
        'div', {class: 'scroller', tabindex: '0', role: 'group', 'aria-labelledby': 'threads-title'},
        element('table', {class: 'threads'}, element('thead', {}, element('tr', {}, ...heads)), body));
    this.root = element(
        'section', {'aria-labelledby': 'threads-title'},
        element('h2', {id: 'threads-title'}, view.threads.length > 1 ? 'Two threads' : 'A thread'),
        view.rows.length ? this.scroller : element('p', {class: 'faint'}, 'No thread was followed.'));
  }

  show(step: number): void {
    for (const {cell, of} of this.cells) {
      const current = cell.step === step;
      of.classList.toggle('current', current);
      if (current)
        scrollWithin(this.scroller, of);
    }
  }

  private cell(cell: Cell|null, go: (step: number) => void): HTMLElement {
    if (!cell)
      return element('td', {class: 'absent'}, element('span', {class: 'unseen'}, 'not here'));
    const {step} = cell;
    const line = element('span', {class: 'line'}, String(cell.place.line));
    const words = element('span', {class: cell.access ? 'access' : 'what'}, cell.text);
    // A primitive is in its line; what a loop or branch does is told in words.
    const inSource = cell.step !== undefined && !cell.access;
    const result = element(
        'td', {title: cell.source}, line, inSource ? undefined : words,
        cell.step !== undefined ? element('code', {}, cell.source) : undefined);
    if (step !== undefined) {
      const button = element('button', {type: 'button', class: 'plain', 'aria-label': `line ${cell.place.line}: ${cell.text}`});
      button.append(...result.childNodes);
      button.addEventListener('click', () => go(step));
      result.append(button);
    }
    this.cells.push({cell, of: result});
    return result;
  }
}
