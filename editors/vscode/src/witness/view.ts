// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a result and the text of its files to what the panel shows.
import {Cell, SourceFile, SourceLine, ThreadHead, View} from './model';
import {Execution, Fault, Finding, PathEvent, Race, Range, Result} from './result';
import {pathOf, placeOf, sameThread, Steps, stepsOf} from './steps';
import {endingWords, faultWords, findingWords, raceWords, threadName, triple} from './words';

/** The lines of a file, or nothing if it is not known. */
export type Sources = (file: string) => string[];

const sameLine = (a: Range, b: Range) => a.file === b.file && a.line === b.line;

/** The race that the result is about: the finding's, else the first one; -1: none. */
function raceOf(finding: Finding|null, execution: Execution): number {
  if (!finding)
    return execution.races.length ? 0 : -1;
  const other = finding.related.find(each => each.role === 'access') ?? finding.primary;
  const shows = ({first, second}: Race) =>
      (sameLine(first.place, finding.primary) && sameLine(second.place, other)) ||
      (sameLine(second.place, finding.primary) && sameLine(first.place, other));
  const threads = (execution.paths ?? []).map(path => path.by);
  const ofThreads = ({first, second}: Race) =>
      [first, second].every(each => threads.some(thread => sameThread(thread, each.by)));
  const exact = execution.races.findIndex(race => shows(race) && ofThreads(race));
  return exact >= 0 ? exact : execution.races.findIndex(shows);
}

function faultOf(finding: Finding|null, execution: Execution): Fault|undefined {
  return finding ? execution.faults.find(each => each.rule === finding.rule) : execution.faults[0];
}

function sentencesOf(result: Result, race: number, fault: Fault|undefined): string[] {
  const {finding, execution} = result;
  const isRace = finding?.rule.endsWith('race') ?? false;
  const sentences = finding ? findingWords(finding, isRace ? race >= 0 : fault !== undefined) : [];
  const about = finding && !isRace ? [] : race >= 0 ? [execution.races[race]] : [];
  sentences.push(...about.map(raceWords));
  if (finding) {
    if (!isRace && fault)
      sentences.push(faultWords(fault));
  } else {
    sentences.push(...execution.races.slice(1, 6).map(raceWords), ...execution.faults.slice(0, 6).map(faultWords));
  }
  if (!finding && execution.races.length && Object.keys(execution.chosen ?? {}).length)
    sentences.push('Arguments that were chosen are random numbers: what rests on them, such as a race of two threads ' +
                   'with the same index from an array, need not happen with yours.');
  return [...sentences, ...endingWords(execution)];
}

function factsOf({finding, execution}: Result): View['facts'] {
  const chosen = execution.chosen ?? {};
  const given = Object.entries(finding?.witness?.values ?? {}).filter(([name]) => !(name in chosen));
  return [
    {name: 'block', value: execution.block.join(' × '), chosen: false},
    {name: 'grid', value: execution.grid.join(' × '), chosen: false},
    {name: 'lanes of a warp', value: String(execution.width), chosen: false},
    ...given.map(([name, value]) => ({name, value, chosen: false})),
    ...Object.entries(chosen).map(([name, value]) => ({name, value, chosen: true})),
    ...(execution.chosen_shared ?
            [{name: 'dynamic shared memory', value: `${execution.chosen_shared} bytes`, chosen: true}] :
            []),
  ];
}

function headsOf({finding, execution}: Result): ThreadHead[] {
  return (execution.paths ?? []).map(({by}) => ({
    name: threadName(by),
    block: by.block[0] + execution.grid[0] * (by.block[1] + execution.grid[1] * by.block[2]),
    warp: by.warp,
    lane: by.lane,
    index: finding?.witness?.threads.find(each => sameThread(each, by))?.index ?? '',
  }));
}

function cellOf(event: PathEvent, execution: Execution, steps: Steps, sources: Sources): Cell {
  const cell: Cell = {
    text: event.label ?? '',
    place: placeOf(event.place),
    source: (sources(event.place.file)[event.place.line - 1] ?? '').trim(),
  };
  if (event.kind === 'exit')
    cell.text = 'leaves the kernel';
  if (event.kind === 'instance' && event.index !== undefined) {
    cell.text = execution.sites[execution.instances[event.index].site].name;
    cell.step = steps.ofInstance.get(event.index);
  }
  if (event.kind === 'race' && event.index !== undefined && event.access) {
    const race = execution.races[event.index];
    cell.text = `${race[event.access].kind}s ${race.object}`;
    cell.step = steps.ofAccess[event.access];
    cell.access = true;
  }
  return cell;
}

/** Both paths by rows: what two threads did at the same place stands side by side. */
function rowsOf(execution: Execution, race: number, steps: Steps, sources: Sources): Array<Array<Cell|null>> {
  const paths = execution.paths ?? [];
  const rows = new Map<number, Array<Cell|null>>();
  paths.forEach((path, column) => {
    for (const event of path.events) {
      if (event.kind === 'race' &&
          (event.index !== race || !event.access || pathOf(execution, race, event.access) !== column))
        continue; // another race, or another access of this one
      const row = rows.get(event.row) ?? paths.map(() => null);
      // A place may be an access and the end of the kernel at once: the access is of interest.
      if (!row[column]?.access)
        row[column] = cellOf(event, execution, steps, sources);
      rows.set(event.row, row);
    }
  });
  return [...rows.entries()].sort(([a], [b]) => a - b).map(([, row]) => row);
}

/** The lines around all that the view speaks of, file by file. */
function sourcesOf(result: Result, race: number, fault: Fault|undefined, sources: Sources): SourceFile[] {
  const {finding, execution} = result;
  const marks = new Map<string, SourceLine['marks']>();
  const lines = new Map<string, number[]>();
  const see = (range: Range, kind?: 'first'|'second'|'related', text = '') => {
    lines.set(range.file, [...(lines.get(range.file) ?? []), range.line]);
    const key = `${range.file}\n${range.line}`;
    if (kind && !marks.get(key)?.some(each => each.text === text))
      marks.set(key, [...(marks.get(key) ?? []), {kind, text}]);
  };
  if (race >= 0)
    for (const which of ['first', 'second'] as const) {
      const {kind, place, by} = execution.races[race][which];
      see(place, pathOf(execution, race, which) === 1 ? 'second' : 'first', `thread ${triple(by.thread)} ${kind}s`);
      place.calls?.forEach(call => see(call));
    }
  if (fault)
    see(fault.place, 'first', fault.rule);
  if (finding) {
    see(finding.primary);
    finding.related.filter(each => each.line && each.role !== 'access')
        .forEach(each => see(each, 'related', each.message));
  }
  execution.sites.forEach(site => see(site.place));
  execution.paths?.forEach(path => path.events.forEach(event => see(event.place)));
  return [...lines.entries()].flatMap(([file, numbers]) => {
    const text = sources(file);
    const begin = Math.max(1, numbers.reduce((a, b) => Math.min(a, b)) - 3);
    const end = Math.min(text.length, numbers.reduce((a, b) => Math.max(a, b)) + 2, begin + 400);
    const shown: SourceLine[] = [];
    for (let number = begin; number <= end; ++number)
      shown.push({number, text: text[number - 1] ?? '', marks: marks.get(`${file}\n${number}`) ?? []});
    return shown.length ? [{file, name: file.replace(/^.*[/\\]/, ''), lines: shown}] : [];
  });
}

function levelOf({finding, execution}: Result): View['level'] {
  if (finding)
    return finding.severity === 'error' || finding.severity === 'warning' ? finding.severity : 'information';
  if (execution.races.length || execution.faults.some(each => each.rule !== 'partial-warp'))
    return 'error';
  return execution.ending === 'finished' ? 'ok' : 'warning';
}

export function viewOf(result: Result, sources: Sources): View {
  const {finding, execution} = result;
  const isRace = !finding || finding.rule.endsWith('race') || finding.rule === 'uninitialized-shared';
  const race = isRace ? raceOf(finding, execution) : -1;
  const fault = race < 0 ? faultOf(finding, execution) : undefined;
  const steps = stepsOf(execution, race);
  const faulty = steps.steps.findIndex(step => step.fault);
  return {
    title: finding ? `${finding.rule} in ${finding.kernel} (${finding.confidence})` : `${execution.kernel}: a run`,
    level: levelOf(result),
    sentences: sentencesOf(result, race, fault),
    facts: factsOf(result),
    notes: result.notes,
    command: result.command,
    width: execution.width,
    threads: headsOf(result),
    rows: rowsOf(execution, race, steps, sources),
    steps: steps.steps,
    start: Math.max(0, steps.ofAccess.second ?? faulty),
    leftOut: execution.instance_count - execution.instances.length,
    sources: sourcesOf(result, race, fault, sources),
  };
}
