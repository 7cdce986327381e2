// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The witness of a race in its panel, stepped through by keyboard; a run of a kernel in which nothing is wrong; the
// panel in dark and in high contrast.
import assert from 'node:assert';

const selected = panel => panel.locator('#steps [aria-selected="true"]');

async function where(panel) {
  return await panel.locator('[role=status]').innerText();
}

/** What a screen reader would miss: buttons, lists and tables without a name. */
async function unnamed(panel) {
  return await panel.locator('button, [role=listbox], section, nav').evaluateAll(
      all => all.filter(each => !(each.textContent.trim() || each.getAttribute('aria-label')) &&
                            !each.getAttribute('aria-labelledby'))
                 .map(each => each.outerHTML));
}

/** Opens a file and the panel of its race. */
async function show(code, workspace, file) {
  await code.open(workspace, file);
  await code.page.mouse.click(...await code.squiggle());
  await code.command('warpdrf: Show Witness');
  const panel = code.webview();
  await panel.locator('h1', {hasText: 'race in reverse (confirmed)'}).waitFor({timeout: 30000});
  return panel;
}

export async function witness({code, workspace, at, shoot}) {
  const {page} = code;
  at('show the witness');
  const panel = await show(code, workspace, 'reverse.cu');

  at('what the witness says');
  const text = await panel.locator('main').innerText();
  for (const each of [/reads it in line 8/, /writes it in line 7/, /nothing orders the two/, /block\s+64/, /at tile\[/, /__shfl_xor_sync/])
    assert.match(text, each);
  assert.equal(await panel.locator('table.threads th').count(), 2);
  assert.deepEqual(await unnamed(panel), []);

  at('step by keyboard');
  // It begins with the access that comes second; the list has the focus.
  assert.match(await where(panel), /write of tile|read of tile/);
  const last = await where(panel);
  await page.keyboard.press('ArrowUp');
  assert.notEqual(await where(panel), last);
  await page.keyboard.press('Home');
  assert.match(await where(panel), /^1 of \d+: __shfl_xor_sync, line 6 round 0: lanes 0-31 of warp/);
  await page.keyboard.press('ArrowRight');
  assert.match(await where(panel), /^2 of/);
  assert.match(await selected(panel).getAttribute('aria-label'), /__shfl_xor_sync/);
  assert.equal(await panel.locator('.source li.current').count(), 1);
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await shoot('witness');

}

/** Comes late: VS Code then writes the settings itself, and forgets ours. */
export async function themes({code, workspace, at, shoot}) {
  at('dark and high contrast');
  const panel = await show(code, workspace, 'again.cu');
  await code.theme('Dark Modern');
  await panel.locator('h1').waitFor({timeout: 10000});
  await shoot('witness-dark');
  await code.theme('Dark High Contrast');
  await panel.locator('h1').waitFor({timeout: 10000});
  await shoot('witness-high-contrast');
}

export async function runInInterpreter({code, at, shoot}) {
  at('run a kernel in the interpreter');
  await code.word('__syncthreads').click();
  await code.command('warpdrf: Run Kernel in Interpreter');
  const panel = code.webview();
  await panel.locator('h1', {hasText: 'reverse: a run'}).waitFor({timeout: 30000});
  const text = await panel.locator('main').innerText();
  for (const each of [/no race and no fault/, /__syncthreads/, /random:\d+:i32 chosen/])
    assert.match(text, each);
  await shoot('run');
}
