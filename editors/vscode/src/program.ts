// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import {constants} from 'node:fs';
import {access} from 'node:fs/promises';
import * as path from 'node:path';

/**
 * The file that `name` stands for: itself if absolute, else the first of that name in PATH. A relative path with
 * folders is refused, because what it means would depend on the workspace that is open.
 */
export async function findProgram(name: string): Promise<string | undefined> {
  if (path.isAbsolute(name))
    return await isExecutable(name) ? name : undefined;
  if (name.includes('/') || name.includes('\\'))
    return undefined;
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    if (path.isAbsolute(folder) && await isExecutable(file))
      return file;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
