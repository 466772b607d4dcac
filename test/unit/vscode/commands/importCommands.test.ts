import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { commandIds } from '../../../../src/contributions.js';
import { createNodeHostEnvironment } from '../../../../src/platform/environment/nodeHostEnvironment.js';
import { importCommands } from '../../../../src/vscode/commands/configuration/importCommands.js';

// else a file before it in the same worker has loaded what is put in place here
vi.hoisted(() => vi.resetModules());
const shown = vi.hoisted(() => ({ labels: [] as string[], warnings: [] as string[] }));
vi.mock('vscode', () => ({
  l10n: { t: (text: string) => text },
  QuickPickItemKind: { Separator: -1 },
  window: {
    showQuickPick: async (items: readonly { readonly label: string }[]) => {
      shown.labels.push(...items.map(({ label }) => label));
    },
    showWarningMessage: async (message: string) => {
      shown.warnings.push(message);
    },
  },
}));

/** Asks for the import beside these files of other programs. @returns the home and the error that it ends with */
async function start(files: Readonly<Record<string, string>>) {
  const home = mkdtempSync(join(tmpdir(), 'pi-mcp-import-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  Object.assign(shown, { labels: [], warnings: [] });
  const environment = createNodeHostEnvironment({ env: {}, homeDir: home });
  const commands = importCommands({
    machine: { environment, workspace: { folders: [] } },
  } as never);
  const error = await Promise.resolve(
    commands[commandIds.importServers]?.(0 as never, false, []),
  ).catch((reason: unknown) => reason);
  return { home, error };
}

it.each(['{ "mcpServers": {', '[]'])(
  'says that it cannot read %j, beside what others have',
  async (text) => {
    const docs = '[mcp_servers.docs]\nurl = "https://example.com/mcp"\n';
    const { home } = await start({ '.cursor/mcp.json': text, '.codex/config.toml': docs });
    const sentence = expect.stringMatching(`^Cursor: ${home}/.cursor/mcp.json `);
    expect(shown).toEqual({
      labels: [`Codex · ${home}/.codex/config.toml`, 'docs'],
      warnings: [sentence],
    });
  },
);

it('opens no empty list where none can be read', async () => {
  const { error } = await start({ '.cursor/mcp.json': '{ "mcpServers": {' });
  expect(error).toMatchObject({ code: 'nothing_to_pick' });
  expect([shown.labels, shown.warnings.length]).toEqual([[], 1]);
});
