// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language server's life: found, started, stopped, restarted. Only one of these happens at a time.
import * as vscode from 'vscode';
import {LanguageClient, LanguageClientOptions, ServerOptions, State} from 'vscode-languageclient/node';
import {selector} from './documents';
import {explainRule} from './explain';
import {isInterpreterCommand, runInterpreterCommand} from './interpreter';
import {reportFailure, reportMissing} from './missing';
import {findProgram} from './program';
import {programName, serverSettings} from './settings';
import {Status, StatusBar} from './status';
import {WitnessPanel} from './witness/panel';

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private tried = false;
  private queue: Promise<void> = Promise.resolve();
  private readonly statusBar = new StatusBar();

  private readonly panel: WitnessPanel;

  constructor(private readonly extension: vscode.Uri, private readonly output: vscode.LogOutputChannel) {
    this.panel = new WitnessPanel(extension);
  }

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

  /** A command of the interpreter, on what is at the cursor. */
  async interpret(command: string): Promise<void> {
    await this.start();
    if (this.client?.isRunning())
      await runInterpreterCommand(this.client, this.panel, command, []);
    else
      void vscode.window.showErrorMessage('warpdrf: the server is not running.');
  }

  dispose(): void {
    void this.stop();
    this.panel.dispose();
    this.statusBar.dispose();
  }

  private inTurn(action: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(action).catch(error => this.output.error(String(error)));
    return this.queue;
  }

  private async launch(): Promise<void> {
    this.tried = true;
    const name = programName();
    const program = await findProgram(name, this.extension.fsPath);
    if (!program) {
      this.statusBar.failed(`program not found: ${name || 'warpdrf'}`);
      void reportMissing(name, () => this.restart());
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
      void reportFailure(program, this.output);
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
      middleware: {executeCommand: (command, args, next) => this.execute(command, args, next)},
      synchronize: {
        configurationSection: 'warpdrf',
        fileEvents: vscode.workspace.createFileSystemWatcher(
            '**/{compile_commands.json,compile_flags.txt,.clangd,.warpdrf.json}'),
      },
    };
  }

  /** The server's commands, which code lenses and code actions start; their results are shown here. */
  private async execute(
      command: string, args: unknown[], next: (command: string, args: unknown[]) => unknown): Promise<unknown> {
    if (command === 'warpdrf.explain')
      return explainRule(this.extension, args[0]);
    if (isInterpreterCommand(command) && this.client)
      return runInterpreterCommand(this.client, this.panel, command, args);
    return next(command, args);
  }
}
