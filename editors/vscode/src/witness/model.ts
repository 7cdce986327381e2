// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the panel shows, and the messages between it and the extension. Plain data, made by view.ts and drawn by
// webview/.

/** A line of the source. */
export interface Place {
  file: string;
  line: number;
}

/** The lanes of one warp. */
export interface Strip {
  block: number;
  warp: number;
  lanes: number[];
}

/** What the panel steps through: an instance of a primitive or barrier, or one of the two accesses. */
export interface Step {
  kind: 'instance'|'access';
  /** "__shfl_down_sync". */
  name: string;
  place: Place;
  /** Iteration counts of the loops around it. */
  coordinates: number[];
  /** Who takes part, in words. */
  who: string;
  strips: Strip[];
  /** Of an access: which of the two threads. */
  thread?: 0|1;
  /** Something went wrong there. */
  fault?: string;
  /** Whether one of the two threads' warps has to do with it. */
  near: boolean;
}

export interface ThreadHead {
  name: string;
  block: number;
  warp: number;
  lane: number;
  /** What it accesses: "s[3]". */
  index: string;
}

/** What a thread did at a place in program order. */
export interface Cell {
  text: string;
  place: Place;
  source: string;
  /** Index into the steps. */
  step?: number;
  access?: boolean;
}

export interface SourceLine {
  number: number;
  text: string;
  /** The threads that access something here, and what else is told of it. */
  marks: Array<{kind: 'first'|'second'|'related'; text: string}>;
}

export interface SourceFile {
  file: string;
  name: string;
  lines: SourceLine[];
}

export interface View {
  title: string;
  level: 'error'|'warning'|'information'|'ok';
  sentences: string[];
  facts: Array<{name: string; value: string; chosen: boolean}>;
  notes: string[];
  command: string;
  width: number;
  threads: ThreadHead[];
  rows: Array<Array<Cell|null>>;
  steps: Step[];
  /** The step to begin with. */
  start: number;
  /** Instances that were counted only. */
  leftOut: number;
  sources: SourceFile[];
}

/** From the panel. */
export type FromPanel = {kind: 'ready'}|{kind: 'reveal'; place: Place}|{kind: 'open'; place: Place}|
    {kind: 'copy'; text: string};

/** To the panel. */
export type ToPanel = {kind: 'show'; view: View};
