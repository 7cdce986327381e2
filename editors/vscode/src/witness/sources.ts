// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of the files that a result speaks of: as the editor has it, else from the disk.
import * as path from 'node:path';
import * as vscode from 'vscode';
import {Result} from './result';
import {Sources} from './view';

function filesOf({finding, execution}: Result): Set<string> {
  const files = new Set<string>();
  execution.sites.forEach(site => files.add(site.place.file));
  for (const {first, second} of execution.races)
    [first, second].forEach(each => files.add(each.place.file));
  execution.faults.forEach(each => files.add(each.place.file));
  execution.paths?.forEach(each => each.events.forEach(event => files.add(event.place.file)));
  if (finding)
    [finding.primary, ...finding.related].forEach(each => each.file && files.add(each.file));
  return files;
}

export async function readSources(result: Result): Promise<Sources> {
  const lines = new Map<string, string[]>();
  for (const file of filesOf(result)) {
    if (!path.isAbsolute(file))
      continue;
    try {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
      lines.set(file, document.getText().split(/\r\n|\n|\r/));
    } catch {
      // It has gone, or is no text: the view does without its lines.
    }
  }
  return file => lines.get(file) ?? [];
}
