// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Run in interpreter" and "Show witness": asks the server, with a notification that can cancel, and shows what
// comes in the panel.
import * as vscode from 'vscode';
import {ExecuteCommandRequest, LanguageClient} from 'vscode-languageclient/node';
import {isCuda} from './documents';
import {WitnessPanel} from './witness/panel';
import {Result} from './witness/result';
import {readSources} from './witness/sources';
import {viewOf} from './witness/view';

const titles: Record<string, string> = {
  'warpdrf.runInInterpreter': 'running the kernel in the interpreter',
  'warpdrf.showWitness': 'running the witness in the interpreter',
};

export function isInterpreterCommand(command: string): boolean {
  return command in titles;
}

/** What the server takes in place of a kernel or a finding: where the cursor is. */
export function atCursor(client: LanguageClient): unknown[]|undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !isCuda(editor.document)) {
    void vscode.window.showInformationMessage('warpdrf: put the cursor into a kernel of a CUDA file first.');
    return undefined;
  }
  return [{
    uri: client.code2ProtocolConverter.asUri(editor.document.uri),
    position: client.code2ProtocolConverter.asPosition(editor.selection.active),
  }];
}

export async function runInterpreterCommand(
    client: LanguageClient, panel: WitnessPanel, command: string, given: unknown[]): Promise<void> {
  const args = given.length ? given : atCursor(client);
  if (!args)
    return;
  const result = await vscode.window.withProgress(
      {location: vscode.ProgressLocation.Notification, cancellable: true, title: `warpdrf: ${titles[command]}`},
      async (_, token) => {
        try {
          return await client.sendRequest(ExecuteCommandRequest.type, {command, arguments: args}, token) as Result;
        } catch (error) {
          if (!token.isCancellationRequested)
            void vscode.window.showErrorMessage(`warpdrf: ${error instanceof Error ? error.message : error}`);
          return undefined;
        }
      });
  if (result)
    panel.show(viewOf(result, await readSources(result)));
}
