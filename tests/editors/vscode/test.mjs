// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: node test.mjs PROGRAM [SCREENSHOTS]
// The extension as a user sees it, in one VS Code: the flows, one after the other. Exit status 77 and SKIPPED where a
// tool is absent.
import {copyFile, mkdir, mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import * as path from 'node:path';
import {hoist} from './flows/hoist.mjs';
import {manifest} from './flows/manifest.mjs';
import {missingProgram} from './flows/missing.mjs';
import {race} from './flows/race.mjs';
import {runInInterpreter, themes, witness} from './flows/witness.mjs';
import {exists, missing, VSCode} from './vscode.mjs';

const program = path.resolve(process.argv[2]);
const screenshots = process.argv[3] && path.resolve(process.argv[3]);
const vsix = path.resolve(import.meta.dirname, '../../../editors/vscode/warpdrf.vsix');

const reason = await missing() ?? (!await exists(vsix) ? 'editors/vscode/warpdrf.vsix is not packaged' : undefined);
if (reason) {
  console.log(`SKIPPED: VS Code: ${reason}`);
  process.exit(77);
}

const folder = await mkdtemp(path.join(tmpdir(), 'warpdrf-vscode-'));
const workspace = path.join(folder, 'ws');
await mkdir(workspace);
for (const [from, to] of [['reverse.cu', 'reverse.cu'], ['reverse.cu', 'again.cu'], ['total.cu', 'total.cu']])
  await copyFile(path.join(import.meta.dirname, '..', from), path.join(workspace, to));
if (screenshots)
  await mkdir(screenshots, {recursive: true});

let code, step = 'start';
const test = {
  workspace,
  at: name => { step = name; },
  shoot: async name => screenshots && await code.page.screenshot({path: path.join(screenshots, name + '.png')}),
};

try {
  await manifest(test);
  code = await VSCode.start(folder, vsix, {'warpdrf.noToolkit': true});
  await VSCode.bundle(folder, program);
  test.code = code;
  for (const flow of [witness, race, runInInterpreter, hoist, themes, missingProgram])
    await flow(test);
  console.log('PASSED: witness, squiggle, status bar, hovers, quick fixes, save, run in interpreter, missing program');
} catch (error) {
  console.log(`FAILED at: ${step}\n${error.stack}`);
  if (code?.page) {
    await test.shoot('failed');
    console.log(await code.text().catch(() => ''), await code.notifications().catch(() => ''));
  }
  process.exitCode = 1;
} finally {
  await code?.stop();
  await rm(folder, {recursive: true, force: true});
}
