// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The status bar's item: what the server last said, in `warpdrf/status`, of the file in the active editor.
import * as vscode from 'vscode';
import {isCuda} from './documents';

/** The notification, as the server sends it; the counts are there once a file is checked. */
export interface Status {
  uri: string;
  version?: number;
  state: 'checking'|'checked'|'failed';
  message?: string;
  kernels?: number;
  ok?: number;
  violated?: number;
  unproved?: number;
  unsupported?: number;
  arch?: string;
  commandSource?: string;
  timeMs?: number;
}

export class StatusBar implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem('warpdrf', vscode.StatusBarAlignment.Left);
  private readonly byUri = new Map<string, Status>();
  private failure: string|undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor() {
    this.item.name = 'warpdrf';
    this.item.command = 'warpdrf.showOutput';
    this.subscriptions = [
      this.item, vscode.window.onDidChangeActiveTextEditor(() => this.refresh()),
      vscode.workspace.onDidCloseTextDocument(d => this.byUri.delete(d.uri.toString()))
    ];
  }

  show(status: Status): void {
    // The server may spell a URI differently from VS Code (escapes); parse it to compare.
    this.byUri.set(vscode.Uri.parse(status.uri).toString(), status);
    this.refresh();
  }

  starting(): void {
    this.failure = undefined;
    this.byUri.clear();
    this.refresh();
  }

  running(): void {
    this.failure = undefined;
    this.refresh();
  }

  failed(why: string): void {
    this.failure = why;
    this.byUri.clear();
    this.refresh();
  }

  dispose(): void {
    this.subscriptions.forEach(s => s.dispose());
  }

  private refresh(): void {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || !isCuda(document)) {
      this.item.hide();
      return;
    }
    const status = this.byUri.get(document.uri.toString());
    const [text, tooltip] = this.failure ? [`$(error) warpdrf`, this.failure] : describe(status);
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.backgroundColor =
        this.failure ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    this.item.show();
  }
}

/** The item's text and its tooltip. */
function describe(status: Status|undefined): [string, string] {
  if (!status || status.state === 'checking')
    return ['$(sync~spin) warpdrf', 'checking'];
  if (status.state === 'failed')
    return ['$(circle-slash) warpdrf', status.message ?? 'not checked'];
  const counts = (['violated', 'unsupported', 'unproved', 'ok'] as const)
                     .filter(verdict => status[verdict])
                     .map(verdict => `${status[verdict]} ${verdict}`);
  const worst = status.violated ? '$(warning)' : status.unsupported || status.unproved ? '$(question)' : '$(check)';
  const tooltip = [
    `${status.kernels ?? 0} kernels: ${counts.join(', ') || 'none'}`, `checked for ${status.arch}`,
    `compile command: ${status.commandSource}`
  ];
  return [`${worst} warpdrf: ${counts[0] ?? 'no kernels'}`, tooltip.join('\n')];
}
