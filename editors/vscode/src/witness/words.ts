// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results in words.
import {Access, Execution, Fault, Finding, Race, Range, Thread, Triple} from './result';

export function triple(value: Triple): string {
  return value[1] === 0 && value[2] === 0 ? String(value[0]) : `(${value.join(',')})`;
}

/** "thread 31 of block 0 (warp 0, lane 31)". */
export function threadName(thread: Thread): string {
  return `thread ${triple(thread.thread)} of block ${triple(thread.block)} ` +
      `(warp ${thread.warp}, lane ${thread.lane})`;
}

export function lineOf(range: Range): string {
  return `line ${range.line}` + (range.calls?.length ? `, called from line ${range.calls[0].line}` : '');
}

function access(each: Access): string {
  const verb = each.kind === 'atomic' ? 'accesses atomically' : each.kind + 's';
  return `${threadName(each.by)} ${verb} it in ${lineOf(each.place)}`;
}

export function raceWords(race: Race): string {
  const many = race.count > 1 ? ` (${race.count} conflicts of these two lines)` : '';
  return `Race on byte ${race.offset} of "${race.object}": ${access(race.first)}, ${access(race.second)}, and ` +
      `nothing orders the two${many}.`;
}

export function faultWords(fault: Fault): string {
  const many = fault.count > 1 ? ` (${fault.count} times)` : '';
  return `${fault.rule} in ${lineOf(fault.place)}: ${fault.message}${many}; first ${threadName(fault.by)}.`;
}

/** How the run ended. */
export function endingWords(execution: Execution): string[] {
  if (execution.ending !== 'finished') {
    const where = execution.place ? ` in ${lineOf(execution.place)}` : '';
    return [`The run ended early${where}: ${execution.message || execution.ending}.`];
  }
  if (!execution.races.length && !execution.faults.length)
    return ['The run finished: no race and no fault. It is one run; other inputs may do otherwise.'];
  return [];
}

/** What the finding says, and whether the run shows it. */
export function findingWords(finding: Finding, shown: boolean): string[] {
  const sentences = [`${finding.message}.`];
  for (const note of finding.related)
    if (note.role !== 'access')
      sentences.push(`${note.line ? `Line ${note.line}: ` : ''}${note.message}.`);
  if (!shown)
    sentences.push('This run does not show it.');
  return sentences;
}

/** "lanes 0-15, 20". */
export function lanesWords(lanes: number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < lanes.length; ++i) {
    const begin = lanes[i];
    while (i + 1 < lanes.length && lanes[i + 1] === lanes[i] + 1)
      ++i;
    parts.push(lanes[i] === begin ? `${begin}` : `${begin}-${lanes[i]}`);
  }
  return parts.length ? `lane${lanes.length > 1 ? 's' : ''} ${parts.join(', ')}` : 'no lane';
}
