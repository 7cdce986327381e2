// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user is told when there is no program, or it does not start, and what can be done about it.
import * as vscode from 'vscode';

const walkthrough = 'warpdrf.warpdrf#warpdrf.start';

/** `name` is the setting's value; empty: none was named. */
export async function reportMissing(name: string, restart: () => Promise<void>): Promise<void> {
  const how = 'How to Get It', settings = 'Open Settings', again = 'Try Again';
  const what = name ?
      `the program "${name}" was not found. Correct the setting warpdrf.path, or empty it.` :
      'the program "warpdrf" was not found: this extension came without it, and it is not in PATH. ' +
          'Build it with scripts/build and set warpdrf.path to it.';
  const choice = await vscode.window.showErrorMessage(`warpdrf: ${what}`, how, settings, again);
  if (choice === how)
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough, false);
  if (choice === settings)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'warpdrf.path');
  if (choice === again)
    await restart();
}

export async function reportFailure(program: string, output: vscode.LogOutputChannel): Promise<void> {
  const show = 'Show Output';
  const choice = await vscode.window.showErrorMessage(
      `warpdrf: "${program} lsp" did not start as a language server.`, show);
  if (choice === show)
    output.show();
}
