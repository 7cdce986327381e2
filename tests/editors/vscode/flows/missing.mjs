// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program that is not there is said to be so, and what to do.
export async function missingProgram({code, workspace, at, shoot}) {
  const {page} = code;
  at('a program that is not there');
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

  at('what to do about it');
  await message.locator('.monaco-button', {hasText: 'How to Get It'}).click();
  await page.locator('.gettingStartedContainer', {hasText: 'Get the server'}).first().waitFor({timeout: 15000});
  await shoot('walkthrough');
}
