// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What package.json says: every setting is described and in the README, every command has its title there, every
// picture exists, and no setting that chooses what is run is taken from an untrusted workspace.
import assert from 'node:assert';
import {readFile} from 'node:fs/promises';
import * as path from 'node:path';
import {exists} from '../vscode.mjs';

export async function manifest({at}) {
  at('manifest');
  const folder = path.resolve(import.meta.dirname, '../../../../editors/vscode');
  const read = name => readFile(path.join(folder, name), 'utf8');
  const {contributes, capabilities} = JSON.parse(await read('package.json'));
  const readme = await read('README.md');
  const settings = Object.entries(contributes.configuration.properties);
  for (const [name, {description, markdownDescription, type, default: value}] of settings) {
    assert.ok(description || markdownDescription, name);
    assert.ok(type && value !== undefined, name);
    assert.ok(readme.includes(`\`${name}\``), `${name} is not in the README`);
  }
  const keys = (await read('src/settings.ts')).match(/serverKeys\s*=\s*\[([^\]]*)\]/)[1].match(/\w+/g);
  for (const key of keys)
    assert.ok(settings.some(([name]) => name === `warpdrf.${key}`), `${key} is not declared`);
  for (const {title} of contributes.commands)
    assert.ok(readme.includes(title), `${title} is not in the README`);
  for (const name of ['warpdrf.path', 'warpdrf.flags'])
    assert.ok(capabilities.untrustedWorkspaces.restrictedConfigurations.includes(name), name);
  const pictures = contributes.walkthroughs.flatMap(({steps}) => steps.map(({media}) => media.image ?? media.markdown));
  for (const name of [...pictures, ...[...readme.matchAll(/\]\((images\/[^)]*)\)/g)].map(match => match[1])])
    assert.ok(await exists(path.join(folder, name)), name);
}
