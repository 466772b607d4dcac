// @ts-check
/** Screenshots of both pages in every theme, and what axe finds in them: `node test/workbench/preview/preview.mjs`. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { repository } from '../paths.mjs';
import { startPreview } from './harness.mjs';
import {
  agentInputs,
  agentSnapshots,
  configState,
  formEntry,
  remoteEntry,
  settingsEntry,
} from './states.mjs';
import { themes } from './themes.mjs';

const folder = join(repository, 'test-results/preview');
mkdirSync(folder, { recursive: true });
const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);
const configReplies = {
  ready: { state: configState },
  readServer: { name: 'memory', entry: formEntry },
  readSettings: { entry: settingsEntry },
};

const preview = await startPreview();
let violations = 0;

/** @param {import('playwright-core').Page} page @param {string} name */
async function shoot(page, name) {
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
  await page.evaluate(axeSource);
  const found = await page.evaluate(() =>
    /** @type {any} */ (window).axe.run({ rules: { region: { enabled: false } } }),
  );
  for (const { id, help, nodes } of found.violations) {
    violations++;
    const where = nodes
      .slice(0, 3)
      .map(
        (/** @type {any} */ node) =>
          `${node.html.slice(0, 160)}\n      ${node.failureSummary?.replaceAll('\n', '\n      ')}`,
      );
    console.log(`${name}: ${id}: ${help}\n    ${where.join('\n    ')}`);
  }
  await page.close();
}

for (const theme of Object.keys(themes)) {
  for (const width of theme === 'dark' ? [900, 280] : [900]) {
    const suffix = `${theme}-${width}`;
    const list = await preview.open({ page: 'config', replies: configReplies, theme, width });
    await list.getByRole('button', { name: '2 tools' }).click();
    await shoot(list, `config-list-${suffix}`);
    const form = await preview.open({ page: 'config', replies: configReplies, theme, width });
    await form.getByRole('button', { name: 'Edit: server memory' }).click();
    await form.getByRole('textbox', { name: 'Command' }).fill('');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await form.getByText('A local server needs a command.').first().waitFor();
    await shoot(form, `config-form-${suffix}`);
    for (const entry of [formEntry, remoteEntry]) {
      const replies = { ...configReplies, readServer: { name: 'memory', entry } };
      const all = await preview.open({ page: 'config', replies, theme, width });
      await all.getByRole('button', { name: 'Edit: server memory' }).click();
      await all.locator('#form-title').waitFor();
      for (const group of await all.locator('summary').all()) {
        await group.click();
      }
      await shoot(all, `config-${entry.kind}-${suffix}`);
    }
    const settings = await preview.open({ page: 'config', replies: configReplies, theme, width });
    await settings.getByRole('button', { name: 'Settings: Global' }).click();
    await settings.getByText('Limits and log').waitFor();
    await shoot(settings, `config-settings-${suffix}`);
  }
  for (const [name, snapshot] of Object.entries(agentSnapshots)) {
    const page = await preview.open({
      page: 'agent',
      replies: { ready: snapshot },
      theme,
      width: theme === 'light' ? 420 : 300,
      height: 700,
    });
    await page.locator('#composer-text').waitFor();
    const told = /** @type {Partial<typeof agentInputs>} */ ({ ...agentInputs })[
      /** @type {keyof typeof agentInputs} */ (name)
    ];
    if (told) {
      await page.evaluate(
        (params) => window.postMessage({ type: 'inputs', params }, '*'),
        told.inputs,
      );
      await page.getByText('architecture.md').last().waitFor();
      await page.locator('#composer-text').fill(told.draft);
      await page.locator('#slash-menu').waitFor();
    }
    await shoot(page, `agent-${name}-${theme}`);
  }
}
await preview.close();
for (const problem of preview.problems) {
  console.log(problem);
}
console.log(`${violations} axe violations, ${preview.problems.length} page problems; ${folder}`);
process.exitCode = violations + preview.problems.length > 0 ? 1 : 0;
