// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a warp as a strip: filled where a lane takes part, outlined where it is one of the two threads.
import {Step, Strip, View} from '../src/witness/model';
import {drawing} from './dom';

const size = 8, gap = 1;
const x = (lane: number) => lane * (size + gap) + Math.floor(lane / 8) * 3;

function lane(at: number, kind: string): SVGElement {
  return drawing('rect', {x: x(at) + 1, y: 1, width: size, height: size, rx: 1, class: kind});
}

function strip(view: View, each: Strip, step: Step): SVGElement {
  const present = new Set(each.lanes);
  const lanes = [];
  for (let at = 0; at < view.width; ++at)
    lanes.push(lane(at, present.has(at) ? (step.kind === 'access' ? 'access' : 'there') : 'away'));
  view.threads.forEach((thread, i) => {
    if (thread.warp === each.warp && thread.block === each.block)
      lanes.push(lane(thread.lane, i ? 'second' : 'first'));
  });
  const width = x(view.width - 1) + size + 2, height = size + 2;
  return drawing('svg', {viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true', class: 'strip'}, ...lanes);
}

export function strips(view: View, step: Step): Array<{name: string; drawing: SVGElement}> {
  return step.strips.map(each => ({name: `warp ${each.warp}`, drawing: strip(view, each, step)}));
}
