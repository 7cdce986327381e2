// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: node test.mjs PROGRAM [SCREENSHOTS]
// The extension as a user sees it: a race is squiggled, its hover tells of it, the quick fix inserts the barrier,
// the squiggle goes, the file is saved. Exit status 77 and SKIPPED where a tool is absent.
import assert from 'node:assert';
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import * as path from 'node:path';
import {exists, missing, VSCode} from './vscode.mjs';

const kernel = `// warpdrf: launch block=(64,1,1) grid=(1,1,1)
__global__ void reverse(int *x) {
  __shared__ int tile[64];
  tile[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = tile[63 - threadIdx.x];
}
`;

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
const file = path.join(workspace, 'reverse.cu');
await mkdir(workspace);
await writeFile(file, kernel);
if (screenshots)
  await mkdir(screenshots, {recursive: true});

let code, step = 'start';
const shoot = async name => screenshots && await code.page.screenshot({path: path.join(screenshots, name + '.png')});

try {
  code = await VSCode.start(folder, vsix, {'warpdrf.path': program, 'warpdrf.noToolkit': true});
  const page = code.page;

  step = 'squiggle';
  await code.open(workspace, 'reverse.cu');
  const squiggle = page.locator('.monaco-editor .squiggly-error');
  await squiggle.first().waitFor({timeout: 60000});
  await shoot('squiggle');

  step = 'status bar';
  await page.locator('.statusbar-item', {hasText: /warpdrf.*1 violated/}).waitFor({timeout: 10000});

  step = 'hover';
  const box = await squiggle.first().boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y - 60);
  await page.mouse.move(x, y, {steps: 5});
  const hover = page.locator('.monaco-hover:not(.hidden)', {hasText: 'warpdrf'}).first();
  await hover.waitFor({timeout: 10000});
  assert.match(await hover.innerText(), /race/);
  await shoot('hover');

  step = 'quick fix';
  await page.mouse.click(x, y);
  const row = page.locator('.action-widget .monaco-list-row', {hasText: '__syncthreads();'}).first();
  // Fixes are re-checked after the diagnostics are shown; a menu that is open does not get them.
  for (let tries = 1;; ++tries) {
    await page.keyboard.press('Control+.');
    try {
      await row.waitFor({timeout: 10000});
      break;
    } catch (error) {
      if (tries === 4)
        throw error;
      await page.keyboard.press('Escape');
    }
  }
  await shoot('fixes');
  // Clicking a row hangs on an overlay: go there by keyboard.
  for (let i = 0; i < 8 && !(await row.getAttribute('class')).includes('focused'); ++i)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForFunction(
      () => document.querySelector('.monaco-editor .view-lines').textContent.includes('__syncthreads()'), undefined,
      {timeout: 10000});

  step = 'the squiggle goes';
  await squiggle.first().waitFor({state: 'detached', timeout: 20000});
  await page.locator('.statusbar-item', {hasText: /warpdrf.*1 ok/}).waitFor({timeout: 10000});
  await shoot('fixed');

  step = 'hover on the barrier';
  await page.keyboard.press('Escape');
  const barrier = page.locator('.monaco-editor .view-line span span', {hasText: '__syncthreads'}).first();
  await barrier.hover();
  const facts = page.locator('.monaco-hover:not(.hidden)', {hasText: /orders/i}).first();
  await facts.waitFor({timeout: 10000});
  await shoot('barrier');

  step = 'save';
  await page.keyboard.press('Control+s');
  for (let i = 0; i < 50 && (await readFile(file, 'utf8')) === kernel; ++i)
    await new Promise(resolve => setTimeout(resolve, 100));
  const saved = await readFile(file, 'utf8');
  assert.match(saved, /x\[threadIdx\.x\];\n {2}__syncthreads\(\);\n/);

  step = 'a program that is not there';
  const message = page.locator('.notification-list-item', {hasText: '"/nowhere/warpdrf" was not found'});
  // Without a native file watcher the server may still hand the old settings to the first new page.
  for (let tries = 0; tries < 6 && !(await message.count()); ++tries) {
    await code.configure({'warpdrf.path': '/nowhere/warpdrf'});
    await code.open(workspace, 'reverse.cu');
    await message.waitFor({timeout: 15000}).catch(() => {});
  }
  await message.waitFor({timeout: 1000});
  await message.locator('.monaco-button', {hasText: 'Open Settings'}).waitFor({timeout: 5000});
  await shoot('missing');
  console.log('PASSED: squiggle, status bar, hovers, quick fix, save, missing program');
} catch (error) {
  console.log(`FAILED at: ${step}\n${error.stack}`);
  if (code?.page) {
    await shoot('failed');
    console.log(await code.text().catch(() => ''));
  }
  process.exitCode = 1;
} finally {
  await code?.stop();
  await rm(folder, {recursive: true, force: true});
}
