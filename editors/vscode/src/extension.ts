// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The extension's entry: starts `warpdrf lsp` when the first CUDA file is opened, restarts it on request or
// when a setting that it is started with changes.
import * as vscode from 'vscode';
import {isCuda} from './documents';
import {explainRule} from './explain';
import {Server} from './server';

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel('warpdrf', {log: true});
  server = new Server(context.extensionUri, output);
  context.subscriptions.push(
      output, server,
      vscode.commands.registerCommand('warpdrf.restart', () => server?.restart()),
      vscode.commands.registerCommand('warpdrf.showOutput', () => output.show()),
      vscode.commands.registerCommand('warpdrf.explainRule', () => explainRule(context.extensionUri)),
      vscode.commands.registerCommand('warpdrf.runKernelAtCursor', () => server?.interpret('warpdrf.runInInterpreter')),
      vscode.commands.registerCommand('warpdrf.showWitnessAtCursor', () => server?.interpret('warpdrf.showWitness')),
      vscode.workspace.onDidOpenTextDocument(startFor),
      vscode.workspace.onDidGrantWorkspaceTrust(() => server?.restart()),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration('warpdrf.path'))
          void server?.restart();
      }));
  for (const document of vscode.workspace.textDocuments)
    await startFor(document);
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** Starts the server unless it runs or was tried; other C++ files must not pay for it. */
async function startFor(document: vscode.TextDocument): Promise<void> {
  if (isCuda(document))
    await server?.start();
}
