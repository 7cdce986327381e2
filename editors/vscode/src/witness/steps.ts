// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a run: its instances in the order in which they were released, and between them the two accesses of
// the race, each behind the last instance of its thread that came before.
import {Place, Step, Strip} from './model';
import {Execution, Instance, Path, Race, Range, Thread} from './result';
import {lanesWords, threadName} from './words';

export function placeOf(range: Range): Place {
  return {file: range.file, line: range.line};
}

function blockIndex(thread: Thread, execution: Execution): number {
  const [x, y, z] = thread.block, [width, height] = execution.grid;
  return x + width * (y + height * z);
}

function stripsOf(instance: Instance, execution: Execution): Strip[] {
  if (instance.participants)
    return [{block: instance.block, warp: instance.warp ?? 0, lanes: instance.participants}];
  // Of a grid barrier the warps of all blocks follow each other.
  const [x, y, z] = execution.block;
  const perBlock = Math.ceil(x * y * z / execution.width);
  const warps = instance.warps ?? [];
  const wide = warps.length > perBlock;
  return warps.map((lanes, i) => ({
    block: wide ? Math.floor(i / perBlock) : instance.block,
    warp: wide ? i % perBlock : i,
    lanes,
  }));
}

function whoOf(instance: Instance, execution: Execution): string {
  if (instance.participants)
    return `${lanesWords(instance.participants)} of warp ${instance.warp}`;
  const [x, y, z] = execution.block;
  const count = (instance.warps ?? []).reduce((sum, lanes) => sum + lanes.length, 0);
  return `${count} threads (a block has ${x * y * z})`;
}

function instanceStep(index: number, execution: Execution, threads: Thread[]): Step {
  const instance = execution.instances[index], site = execution.sites[instance.site];
  const strips = stripsOf(instance, execution);
  const near = (strip: Strip) =>
      threads.some(each => each.warp === strip.warp && blockIndex(each, execution) === strip.block);
  const fault = execution.faults.find(each => each.instance === index);
  const close = strips.filter(near);
  return {
    kind: 'instance',
    name: site.name,
    place: placeOf(site.place),
    coordinates: instance.coordinates,
    who: whoOf(instance, execution),
    strips: (close.length ? close : strips).slice(0, 4),
    fault: fault && `${fault.rule}: ${fault.message}`,
    near: close.length > 0 || !!fault,
  };
}

function accessStep(race: Race, which: 'first'|'second', path: 0|1, execution: Execution): Step {
  const access = race[which];
  const verb = access.kind === 'atomic' ? 'atomic access' : access.kind;
  return {
    kind: 'access',
    name: `${verb} of ${race.object}`,
    place: placeOf(access.place),
    coordinates: [],
    who: threadName(access.by),
    strips: [{block: blockIndex(access.by, execution), warp: access.by.warp, lanes: [access.by.lane]}],
    thread: path,
    near: true,
  };
}

export interface Steps {
  steps: Step[];
  /** The step of an instance, by its index. */
  ofInstance: Map<number, number>;
  /** The steps of the race's accesses. */
  ofAccess: {first?: number; second?: number};
}

/** The last instance of a thread before its access to `race`, or -1. */
function instanceBefore(path: Path, race: number, which: 'first'|'second'): number {
  let last = -1;
  for (const event of path.events) {
    if (event.kind === 'race' && event.index === race && event.access === which)
      return last;
    if (event.kind === 'instance')
      last = event.index ?? last;
  }
  return last;
}

export function stepsOf(execution: Execution, race: number): Steps {
  const paths = execution.paths ?? [];
  const threads = paths.map(path => path.by);
  // What happens behind each instance, -1: before the first one.
  const behind = new Map<number, Array<'first'|'second'>>();
  if (race >= 0) {
    const at = (which: 'first'|'second') => {
      const path = paths[pathOf(execution, race, which)];
      return path ? instanceBefore(path, race, which) : -1;
    };
    const first = at('first'), second = Math.max(first, at('second')); // it happened later
    behind.set(first, ['first']);
    behind.set(second, [...(behind.get(second) ?? []), 'second']);
  }
  const result: Steps = {steps: [], ofInstance: new Map(), ofAccess: {}};
  const addAccesses = (index: number) => {
    for (const which of behind.get(index) ?? []) {
      result.ofAccess[which] = result.steps.length;
      result.steps.push(
          accessStep(execution.races[race], which, pathOf(execution, race, which) === 1 ? 1 : 0, execution));
    }
  };
  addAccesses(-1);
  execution.instances.forEach((_, index) => {
    result.ofInstance.set(index, result.steps.length);
    result.steps.push(instanceStep(index, execution, threads));
    addAccesses(index);
  });
  return result;
}

export function sameThread(a: Thread, b: Thread): boolean {
  return a.block.join() === b.block.join() && a.thread.join() === b.thread.join();
}

/** Which of the paths is that of the access's thread; -1: none. */
export function pathOf(execution: Execution, race: number, which: 'first'|'second'): number {
  return (execution.paths ?? []).findIndex(path => sameThread(path.by, execution.races[race][which].by));
}
