// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source, with the accesses of both threads and the step marked.
import {Place, SourceFile, SourceLine, View} from '../src/witness/model';
import {element, scrollWithin} from './dom';
import {host} from './host';

export class Source {
  readonly root: HTMLElement;
  private readonly lines = new Map<string, HTMLElement>();
  private current: HTMLElement|undefined;

  constructor(view: View) {
    this.root = element(
        'section', {'aria-labelledby': 'source-title'}, element('h2', {id: 'source-title'}, 'Source'),
        ...view.sources.map(file => this.file(file)));
  }

  show(place: Place): void {
    this.current?.classList.remove('current');
    this.current?.removeAttribute('aria-current');
    this.current = this.lines.get(`${place.file}:${place.line}`);
    this.current?.classList.add('current');
    this.current?.setAttribute('aria-current', 'step');
    if (this.current?.parentElement)
      scrollWithin(this.current.parentElement, this.current);
  }

  private file(file: SourceFile): HTMLElement {
    return element(
        'figure', {}, element('figcaption', {}, file.name),
        element('ol', {class: 'source', tabindex: '0', 'aria-label': file.name}, ...file.lines.map(line => this.line(file, line))));
  }

  private line(file: SourceFile, line: SourceLine): HTMLElement {
    const kinds = line.marks.map(mark => mark.kind).join(' ');
    const place = {file: file.file, line: line.number};
    const number = element('button', {type: 'button', class: 'plain line', tabindex: '-1', 'aria-label': `open line ${line.number}`}, String(line.number));
    number.addEventListener('click', () => host.open(place));
    const result = element('li', {class: kinds}, number, element('code', {}, line.text || ' '));
    for (const mark of line.marks)
      result.append(element('span', {class: `mark ${mark.kind}`}, mark.text));
    this.lines.set(`${place.file}:${place.line}`, result);
    return result;
  }
}
