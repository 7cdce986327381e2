// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The panel's page: a frame that the script fills. Nothing but our own script and style may be loaded.
import {randomBytes} from 'node:crypto';
import * as vscode from 'vscode';

export function pageOf(webview: vscode.Webview, out: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const uri = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(out, name));
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="UTF-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}';">
<meta name="viewport" content="width=device-width, initial-scale=1.0">
<link rel="stylesheet" href="${uri('witness.css')}">
<title>warpdrf witness</title>
</head>
<body>
<main id="witness" aria-label="warpdrf witness"></main>
<script nonce="${nonce}" src="${uri('witness.js')}"></script>
</body>
</html>`;
}
