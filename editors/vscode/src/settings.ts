// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import * as vscode from 'vscode';

/** The settings the server reads, from `initializationOptions` and again whenever one changes. */
export const serverKeys =
    ['flags', 'arch', 'contract', 'strict', 'noToolkit', 'showParseErrors'] as const;

export function serverSettings(): Record<string, unknown> {
  const configuration = vscode.workspace.getConfiguration('warpdrf');
  return Object.fromEntries(serverKeys.map(key => [key, configuration.get(key)]));
}

/**
 * The program that the user names, or nothing. In an untrusted workspace VS Code hides the workspace's own value.
 */
export function programName(): string {
  return vscode.workspace.getConfiguration('warpdrf').get<string>('path')?.trim() ?? '';
}
