// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The panel "warpdrf witness": one at a time, beside the source, which it moves along with its steps.
import * as vscode from 'vscode';
import {pageOf} from './html';
import {FromPanel, Place, ToPanel, View} from './model';

export class WitnessPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel|undefined;
  private view: View|undefined;
  private readonly here = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    border: '1px solid',
    borderColor: new vscode.ThemeColor('editor.rangeHighlightBorder'),
  });

  constructor(private readonly extension: vscode.Uri) {}

  show(view: View): void {
    this.view = view;
    const title = `warpdrf: ${view.title}`;
    if (!this.panel)
      this.panel = this.open(title);
    else
      this.panel.reveal(undefined, false);
    this.panel.title = title;
    this.post();
  }

  dispose(): void {
    this.panel?.dispose();
    this.here.dispose();
  }

  private open(title: string): vscode.WebviewPanel {
    const out = vscode.Uri.joinPath(this.extension, 'out');
    const panel = vscode.window.createWebviewPanel(
        'warpdrf.witness', title, vscode.ViewColumn.Beside, {enableScripts: true, localResourceRoots: [out]});
    panel.webview.onDidReceiveMessage((message: FromPanel) => this.receive(message));
    panel.onDidDispose(() => {
      this.panel = undefined;
      vscode.window.visibleTextEditors.forEach(editor => editor.setDecorations(this.here, []));
    });
    panel.webview.html = pageOf(panel.webview, out);
    return panel;
  }

  private post(): void {
    if (!this.panel || !this.view)
      return;
    const message: ToPanel = {kind: 'show', view: this.view};
    void this.panel.webview.postMessage(message);
  }

  private async receive(message: FromPanel): Promise<void> {
    switch (message.kind) {
    case 'ready': // loaded, or loaded again after it was hidden
      return this.post();
    case 'reveal':
      return this.reveal(message.place);
    case 'open':
      await vscode.window.showTextDocument(vscode.Uri.file(message.place.file), {
        viewColumn: vscode.ViewColumn.One,
        selection: new vscode.Range(message.place.line - 1, 0, message.place.line - 1, 0),
      });
      return;
    case 'copy':
      await vscode.env.clipboard.writeText(message.text);
      vscode.window.setStatusBarMessage('warpdrf: command copied', 3000);
    }
  }

  /** Marks the line where it is open already; the focus stays in the panel. */
  private reveal(place: Place): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const document = editor.document;
      if (document.uri.scheme !== 'file')
        continue;
      const isThis = document.uri.fsPath === place.file && place.line >= 1 && place.line <= document.lineCount;
      const range = isThis ? document.lineAt(place.line - 1).range : undefined;
      editor.setDecorations(this.here, range ? [range] : []);
      if (range)
        editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  }
}
