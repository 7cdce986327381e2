// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A race is squiggled, its hover tells of it, the quick fix inserts the barrier, the squiggle goes, the file is saved.
import assert from 'node:assert';
import {readFile} from 'node:fs/promises';
import * as path from 'node:path';
import {applyFix} from './fix.mjs';

export async function race({code, workspace, at, shoot}) {
  const {page} = code;
  const file = path.join(workspace, 'reverse.cu');
  const before = await readFile(file, 'utf8');

  at('squiggle');
  await code.open(workspace, 'reverse.cu');
  const squiggle = page.locator('.monaco-editor .squiggly-error');
  await squiggle.first().waitFor({timeout: 60000});
  await shoot('squiggle');

  at('status bar');
  await page.locator('.statusbar-item', {hasText: /warpdrf.*1 violated/}).waitFor({timeout: 10000});

  at('hover on the race');
  const [x, y] = await code.squiggle();
  await page.mouse.move(x, y - 60);
  await page.mouse.move(x, y, {steps: 5});
  const hover = page.locator('.monaco-hover:not(.hidden)', {hasText: 'warpdrf'}).first();
  await hover.waitFor({timeout: 10000});
  assert.match(await hover.innerText(), /race/);
  await shoot('race');

  at('quick fix');
  await page.mouse.click(x, y);
  await applyFix(page, '__syncthreads();', () => shoot('fixes'));
  await page.waitForFunction(
      () => document.querySelector('.monaco-editor .view-lines').textContent.includes('__syncthreads()'), undefined,
      {timeout: 10000});

  at('the squiggle goes');
  await squiggle.first().waitFor({state: 'detached', timeout: 20000});
  await page.locator('.statusbar-item', {hasText: /warpdrf.*1 ok/}).waitFor({timeout: 10000});
  await shoot('fixed');

  at('hover on the barrier');
  await page.keyboard.press('Escape');
  await code.word('__syncthreads').hover();
  await page.locator('.monaco-hover:not(.hidden)', {hasText: /orders/i}).first().waitFor({timeout: 10000});
  await shoot('barrier');

  at('save');
  await page.keyboard.press('Control+s');
  for (let i = 0; i < 50 && (await readFile(file, 'utf8')) === before; ++i)
    await new Promise(resolve => setTimeout(resolve, 100));
  assert.match(await readFile(file, 'utf8'), /tile\[threadIdx\.x\] = v;\n {2}__syncthreads\(\);\n/);
}
