// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The panel: draws the view that the extension sends, and keeps its parts at the same step.
import {ToPanel, View} from '../src/witness/model';
import {element} from './dom';
import {footer, header} from './header';
import {host} from './host';
import {Source} from './source';
import {Stepper} from './stepper';
import {Threads} from './threads';
import {Timeline} from './timeline';

const root = document.getElementById('witness') as HTMLElement;
let stepper: Stepper|undefined;

function show(view: View): void {
  const go = (step: number) => {
    const which = view.steps[step];
    for (const part of [threads, timeline, own])
      part.show(step);
    host.keep({step, command: view.command});
    if (!which)
      return;
    source.show(which.place);
    host.reveal(which.place);
  };
  const threads = new Threads(view, go), timeline = new Timeline(view, go), source = new Source(view);
  const own = new Stepper(view, timeline, go);
  stepper = own;
  root.replaceChildren(
      header(view), own.root,
      element('div', {class: 'columns'}, threads.root, timeline.root, source.root), footer(view));
  const kept = host.state();
  go(kept.command === view.command && kept.step !== undefined ? kept.step : view.start);
  document.getElementById('steps')?.focus({preventScroll: true});
}

window.addEventListener('message', (event: MessageEvent<ToPanel>) => {
  if (event.data.kind === 'show')
    show(event.data.view);
});
document.addEventListener('keydown', event => {
  if (stepper?.key(event))
    event.preventDefault();
});
host.ready();
