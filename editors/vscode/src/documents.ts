// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which documents are ours: VS Code calls .cu and .cuh files `cuda-cpp`, other extensions `cuda` or `cpp`.
import * as vscode from 'vscode';

export const selector: Array<{scheme: string; language: string; pattern?: string}> = [
  {scheme: 'file', language: 'cuda-cpp'},
  {scheme: 'file', language: 'cuda'},
  {scheme: 'file', language: 'cpp', pattern: '**/*.{cu,cuh}'},
];

export function isCuda(document: vscode.TextDocument): boolean {
  return vscode.languages.match(selector, document) > 0;
}
