// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language server's life: found, started, stopped, restarted. Only one of these happens at a time.
import * as vscode from 'vscode';
import {LanguageClient, LanguageClientOptions, ServerOptions, State} from 'vscode-languageclient/node';
import {selector} from './documents';
import {findProgram} from './program';
import {programName, serverSettings} from './settings';
import {Status, StatusBar} from './status';

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private tried = false;
  private queue: Promise<void> = Promise.resolve();
  private readonly statusBar = new StatusBar();

  constructor(private readonly output: vscode.LogOutputChannel) {}

  /** Starts the server once; a start that failed is repeated by `restart` only. */
  start(): Promise<void> {
    return this.inTurn(async () => {
      if (!this.tried)
        await this.launch();
    });
  }

  stop(): Promise<void> { return this.inTurn(() => this.end()); }

  restart(): Promise<void> {
    return this.inTurn(async () => {
      await this.end();
      await this.launch();
    });
  }

  dispose(): void {
    void this.stop();
    this.statusBar.dispose();
  }

  private inTurn(action: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(action).catch(error => this.output.error(String(error)));
    return this.queue;
  }

  private async launch(): Promise<void> {
    this.tried = true;
    const name = programName();
    const program = await findProgram(name);
    if (!program) {
      this.statusBar.failed(`program not found: ${name}`);
      void this.reportMissing(name);
      return;
    }
    this.output.info(`starting ${program} lsp`);
    const run: ServerOptions = {command: program, args: ['lsp']};
    this.client = new LanguageClient('warpdrf', 'warpdrf', run, this.clientOptions());
    this.client.onNotification('warpdrf/status', (status: Status) => this.statusBar.show(status));
    this.client.onDidChangeState(change => {
      if (change.newState === State.Starting)
        this.statusBar.starting();
      if (change.newState === State.Running)
        this.statusBar.running();
      if (change.newState === State.Stopped)
        this.statusBar.failed('server not running');
    });
    try {
      await this.client.start();
    } catch (error) {
      this.statusBar.failed('server did not start');
      this.output.error(`${program} lsp: ${error}`);
      void this.reportFailure(program);
    }
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.needsStop())
      await client.stop();
    await client?.dispose();
  }

  private clientOptions(): LanguageClientOptions {
    return {
      documentSelector: selector,
      diagnosticCollectionName: 'warpdrf',
      outputChannel: this.output,
      initializationOptions: serverSettings(),
      synchronize: {
        configurationSection: 'warpdrf',
        fileEvents: vscode.workspace.createFileSystemWatcher(
            '**/{compile_commands.json,compile_flags.txt,.clangd,.warpdrf.json}'),
      },
    };
  }

  private async reportMissing(name: string): Promise<void> {
    const settings = 'Open Settings', again = 'Try Again';
    const choice = await vscode.window.showErrorMessage(
        `warpdrf: the program "${name}" was not found. Build it with scripts/build, then put it in PATH ` +
            'or set warpdrf.path to its absolute path.',
        settings, again);
    if (choice === settings)
      await vscode.commands.executeCommand('workbench.action.openSettings', 'warpdrf.path');
    if (choice === again)
      await this.restart();
  }

  private async reportFailure(program: string): Promise<void> {
    const show = 'Show Output';
    const choice = await vscode.window.showErrorMessage(
        `warpdrf: "${program} lsp" did not start as a language server.`, show);
    if (choice === show)
      this.output.show();
  }
}
