// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happened, in words, with launch and arguments; at the end what was chosen, and the command that does it again.
import {View} from '../src/witness/model';
import {element} from './dom';
import {host} from './host';

const levels = {error: 'Error', warning: 'Warning', information: 'Information', ok: 'Nothing found'};

export function header(view: View): HTMLElement {
  return element(
      'header', {}, element('h1', {}, element('span', {class: `badge ${view.level}`}, levels[view.level]), view.title),
      element('div', {class: 'words'}, ...view.sentences.map(each => element('p', {}, each))), facts(view));
}

export function footer(view: View): HTMLElement {
  const copy = element('button', {type: 'button', class: 'secondary'}, 'Copy command');
  copy.addEventListener('click', () => host.copy(view.command));
  return element(
      'footer', {'aria-labelledby': 'run-title'}, element('h2', {id: 'run-title'}, 'The run'),
      element('ul', {class: 'notes'}, ...view.notes.map(each => element('li', {}, each))),
      element(
          'div', {class: 'command'},
          element('code', {tabindex: '0', 'aria-label': 'The same run in a terminal'}, view.command), copy));
}

function facts(view: View): HTMLElement {
  return element(
      'dl', {class: 'facts', 'aria-label': 'Launch and arguments'},
      ...view.facts.map(each => element(
          'div', {}, element('dt', {}, each.name),
          element('dd', {}, each.value, each.chosen ? element('span', {class: 'faint'}, ' chosen') : undefined))));
}
