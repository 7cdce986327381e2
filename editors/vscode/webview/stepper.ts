// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buttons and keys that go from step to step. Arrow keys left and right work everywhere in the panel, up, down, Home
// and End in the list.
import {View} from '../src/witness/model';
import {element} from './dom';
import {describe, Timeline} from './timeline';

export class Stepper {
  readonly root: HTMLElement;
  private readonly previous = button('← Previous', 'Previous step (left arrow)');
  private readonly next = button('Next →', 'Next step (right arrow)');
  private readonly words = element('span', {class: 'where', role: 'status', 'aria-live': 'polite'});
  private current = 0;

  constructor(private readonly view: View, private readonly timeline: Timeline, private readonly go: (step: number) => void) {
    this.previous.addEventListener('click', () => this.move(-1));
    this.next.addEventListener('click', () => this.move(1));
    this.root = element('nav', {class: 'stepper', 'aria-label': 'Steps'}, this.previous, this.next, this.words);
  }

  show(step: number): void {
    this.current = step;
    const {shown} = this.timeline, at = shown.indexOf(step);
    this.previous.disabled = at <= 0;
    this.next.disabled = at === shown.length - 1;
    const which = this.view.steps[step];
    this.words.textContent = which ? `${at + 1} of ${shown.length}: ${describe({...which, fault: undefined})}` : '';
  }

  /** Whether the key was ours. */
  key(event: KeyboardEvent): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
      return false;
    const inList = event.target instanceof Element && event.target.closest('#steps') !== null;
    const {shown} = this.timeline;
    if (event.key === 'ArrowLeft' || (inList && event.key === 'ArrowUp'))
      this.move(-1);
    else if (event.key === 'ArrowRight' || (inList && event.key === 'ArrowDown'))
      this.move(1);
    else if (inList && event.key === 'Home')
      this.go(shown[0] ?? 0);
    else if (inList && event.key === 'End')
      this.go(shown[shown.length - 1] ?? 0);
    else
      return false;
    return true;
  }

  private move(by: number): void {
    const {shown} = this.timeline;
    const to = shown[shown.indexOf(this.current) + by];
    if (to !== undefined)
      this.go(to);
  }
}

function button(text: string, label: string): HTMLButtonElement {
  return element('button', {type: 'button', 'aria-label': label, title: label}, text);
}
