// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a shuffle on hover, a barrier under a branch that is hoisted out of it, and the diagnostic that goes.
import {applyFix} from './fix.mjs';

export async function hoist({code, workspace, at, shoot}) {
  const {page} = code;
  at('a barrier under a branch');
  await code.open(workspace, 'total.cu');
  const place = await code.squiggle();

  at('hover on the shuffle');
  await code.word('__shfl_down_sync').hover();
  await page.locator('.monaco-hover:not(.hidden)', {hasText: /lanes of the warp|lanes/}).first().waitFor({timeout: 10000});
  await page.waitForTimeout(500); // it fades in
  await shoot('hover');

  at('hoist');
  await page.keyboard.press('Escape');
  await page.mouse.click(...place);
  await applyFix(page, 'hoist the barrier', () => shoot('hoist'));

  at('the diagnostic goes');
  await page.locator('.monaco-editor .squiggly-error').first().waitFor({state: 'detached', timeout: 20000});
  await page.locator('.statusbar-item', {hasText: /warpdrf.*1 ok/}).waitFor({timeout: 10000});
  await page.keyboard.press('Control+s');
}
