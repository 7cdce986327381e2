// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `warpdrf.runInInterpreter` and `warpdrf.showWitness` answer, as far as it is shown: a finding as in
// `warpdrf check --format json`, an execution as in docs/run.schema.json.

export type Triple = [number, number, number];

export interface Range {
  file: string;
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  /** The calls that lead there, innermost first. */
  calls?: Range[];
}

export interface Thread {
  block: Triple;
  thread: Triple;
  warp: number;
  lane: number;
}

export interface Finding {
  rule: string;
  severity: 'error'|'warning'|'information'|'hint';
  confidence: string;
  kernel: string;
  message: string;
  object: string|null;
  primary: Range;
  related: Array<Range&{role: string; message: string}>;
  witness: {threads: Array<Thread&{index: string}>; values: Record<string, string>}|null;
}

export interface Site {
  name: string;
  barrier: boolean;
  place: Range;
}

export interface Instance {
  site: number;
  coordinates: number[];
  block: number;
  /** Of a warp primitive. */
  warp?: number;
  participants?: number[];
  mask?: number|null;
  /** Of a barrier: participants, warp by warp. */
  warps?: number[][];
}

export interface Access {
  kind: 'read'|'write'|'atomic';
  place: Range;
  by: Thread;
}

export interface Race {
  scope: string;
  object: string;
  offset: number;
  size: number;
  count: number;
  first: Access;
  second: Access;
}

export interface Fault {
  rule: string;
  message: string;
  place: Range;
  by: Thread;
  instance: number|null;
  count: number;
}

export interface PathEvent {
  kind: 'enter'|'iteration'|'instance'|'race'|'exit';
  row: number;
  place: Range;
  label?: string;
  index?: number;
  access?: 'first'|'second';
}

export interface Path {
  by: Thread;
  events: PathEvent[];
}

export interface Execution {
  kernel: string;
  block: Triple;
  grid: Triple;
  width: number;
  seed: number;
  ending: string;
  message: string;
  place: Range|null;
  instance_count: number;
  sites: Site[];
  instances: Instance[];
  races: Race[];
  faults: Fault[];
  chosen?: Record<string, string>;
  chosen_shared?: number;
  paths?: Path[];
}

export interface Result {
  version: 1;
  uri: string;
  documentVersion: number|null;
  finding: Finding|null;
  execution: Execution;
  notes: string[];
  command: string;
}
