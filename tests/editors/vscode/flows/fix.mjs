// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The light bulb's menu.

/** Applies the fix whose title has `text`, where the cursor is; `shoot` is called while the menu is open. */
export async function applyFix(page, text, shoot) {
  const row = page.locator('.action-widget .monaco-list-row', {hasText: text}).first();
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
  await shoot();
  // Clicking a row hangs on an overlay: go there by keyboard.
  for (let i = 0; i < 10 && !(await row.getAttribute('class')).includes('focused'); ++i)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}
