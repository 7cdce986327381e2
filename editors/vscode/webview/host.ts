// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension, as the panel sees it.
import {FromPanel, Place} from '../src/witness/model';

interface Api {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): Api;

const api = acquireVsCodeApi();

export const host = {
  ready: () => api.postMessage({kind: 'ready'}),
  reveal: (place: Place) => api.postMessage({kind: 'reveal', place}),
  open: (place: Place) => api.postMessage({kind: 'open', place}),
  copy: (text: string) => api.postMessage({kind: 'copy', text}),
  /** Kept while the panel is hidden. */
  state: () => (api.getState() ?? {}) as {step?: number; command?: string},
  keep: (state: {step: number; command: string}) => api.setState(state),
};
