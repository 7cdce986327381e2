// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which program is started: the one that the user names, else the one that came with the extension, else the one in
// PATH.
import {constants} from 'node:fs';
import {access} from 'node:fs/promises';
import * as path from 'node:path';

/** Where a platform's .vsix has the program, below the extension's folder. */
export const bundled = path.join('server', 'bin', 'warpdrf');

/** The program, or nothing if it is not there. */
export async function findProgram(name: string, extension: string): Promise<string | undefined> {
  if (name)
    return lookUp(name);
  const own = path.join(extension, bundled);
  return await isExecutable(own) ? own : lookUp('warpdrf');
}

/**
 * The file that `name` stands for: itself if absolute, else the first of that name in PATH. A relative path with
 * folders is refused, because what it means would depend on the workspace that is open.
 */
async function lookUp(name: string): Promise<string | undefined> {
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
