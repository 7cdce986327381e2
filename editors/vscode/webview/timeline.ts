// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps, one under the other: who takes part in each.
import {Step, View} from '../src/witness/model';
import {element, scrollWithin} from './dom';
import {strips} from './lanes';

/** More than that nobody scrolls through. */
const most = 600;

export class Timeline {
  readonly root: HTMLElement;
  private readonly list: HTMLElement;
  private readonly rows = new Map<number, HTMLElement>();
  private all = false;
  private current = -1;

  constructor(private readonly view: View, private readonly go: (step: number) => void) {
    this.list = element('ul', {role: 'listbox', tabindex: '0', id: 'steps', 'aria-label': 'Steps of the run'});
    const others = view.steps.filter(each => !each.near).length;
    this.all = others === view.steps.length;
    const box = element('input', {type: 'checkbox', id: 'all'});
    box.addEventListener('change', () => this.showAll(box.checked));
    this.root = element(
        'section', {'aria-labelledby': 'steps-title'}, element('h2', {id: 'steps-title'}, 'Who takes part'),
        others && !this.all ?
            element('p', {}, box, element('label', {for: 'all'}, ` also the ${others} of other warps`)) :
            undefined,
        view.steps.length ? this.list : element('p', {class: 'faint'}, 'The run met no primitive and no barrier.'),
        view.leftOut ? element('p', {class: 'faint'}, `${view.leftOut} more instances were counted only.`) : undefined);
    this.fill();
  }

  /** The steps that are listed, in order. */
  get shown(): number[] { return [...this.rows.keys()]; }

  show(step: number): void {
    this.rows.get(this.current)?.setAttribute('aria-selected', 'false');
    this.current = step;
    const row = this.rows.get(step);
    row?.setAttribute('aria-selected', 'true');
    if (row)
      scrollWithin(this.list, row);
    this.list.setAttribute('aria-activedescendant', row?.id ?? '');
  }

  private showAll(all: boolean): void {
    this.all = all;
    this.fill();
    this.show(this.current);
  }

  private fill(): void {
    this.rows.clear();
    this.view.steps.forEach((step, index) => {
      if ((this.all || step.near) && this.rows.size < most)
        this.rows.set(index, this.row(step, index));
    });
    this.list.replaceChildren(...this.rows.values());
  }

  private row(step: Step, index: number): HTMLElement {
    const row = element(
        'li', {role: 'option', id: `step-${index}`, 'aria-selected': 'false', 'aria-label': describe(step), class: step.kind},
        element('span', {class: 'line'}, String(step.place.line)),
        element('span', {class: 'name'}, step.name, element('span', {class: 'faint'}, rounds(step))));
    const drawn = element('span', {class: 'strips'});
    for (const each of strips(this.view, step))
      drawn.append(element('span', {class: 'warp'}, each.name), each.drawing);
    row.append(drawn);
    if (step.fault)
      row.append(element('span', {class: 'fault'}, step.fault));
    row.addEventListener('click', () => this.go(index));
    return row;
  }
}

function rounds(step: Step): string {
  return step.coordinates.length ? ` round ${step.coordinates.join(', ')}` : '';
}

/** For those who do not see the strips. */
export function describe(step: Step): string {
  return `${step.name}, line ${step.place.line}${rounds(step)}: ${step.who}` + (step.fault ? `; ${step.fault}` : '');
}
