// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Explain rule": the rule's page, which comes with the extension, as a preview.
import {readdir} from 'node:fs/promises';
import * as vscode from 'vscode';

/** The rules of warpdrf's diagnostics at the cursor. */
function rulesAtCursor(): Set<string> {
  const editor = vscode.window.activeTextEditor;
  const rules = new Set<string>();
  for (const each of editor ? vscode.languages.getDiagnostics(editor.document.uri) : [])
    if (each.source === 'warpdrf' && editor && each.range.intersection(editor.selection)) {
      const code = typeof each.code === 'object' ? each.code.value : each.code;
      rules.add(String(code));
    }
  return rules;
}

/** Shows the page of `rule`, or of one that the user picks; what is at the cursor comes first. */
export async function explainRule(extension: vscode.Uri, rule?: unknown): Promise<void> {
  const folder = vscode.Uri.joinPath(extension, 'out', 'rules');
  const names = (await readdir(folder.fsPath)).filter(name => name.endsWith('.md')).map(name => name.slice(0, -3));
  const here = rulesAtCursor();
  const items = names.sort((a, b) => Number(here.has(b)) - Number(here.has(a)) || a.localeCompare(b))
                    .map(label => ({label, description: here.has(label) ? 'at the cursor' : undefined}));
  const chosen = typeof rule === 'string' && names.includes(rule) ?
      rule :
      (await vscode.window.showQuickPick(items, {placeHolder: 'Which rule?'}))?.label;
  if (chosen)
    await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(folder, `${chosen}.md`));
}
