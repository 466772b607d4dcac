/** A hostile folder in which somebody changes and moves servers from the command line. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Attack, attackGroup } from '../helpers/attacks/attackGroup.js';
import { runCli } from '../helpers/attacks/cli.js';
import { Link } from '../helpers/attacks/fileTree.js';
import type { Scene } from '../helpers/attacks/scene.js';

const sources = ['cursor', 'copilot', 'gemini', 'zed', 'pi', 'vscode', 'codex', 'opencode'];
const scopes = ['user', 'project', 'local'];

/** Everything that takes servers of the folder somewhere, as someone in a hurry answers it; then all are started. */
async function takeOver(scene: Scene): Promise<void> {
  await scene.service.shutdown();
  for (const scope of scopes) {
    for (const verb of ['move', 'copy']) {
      await runCli(scene, verb, 'a', '--scope', scope, '--name', `${verb}-${scope}`);
      await runCli(scene, verb, 'a', '--from', 'project', '--scope', scope, '--yes');
    }
    await runCli(scene, 'import', ...sources, '--scope', scope, '--yes');
    await runCli(scene, 'enable', 'a', '--scope', scope);
  }
  await runCli(scene, 'import', ...sources, '--link');
  await runCli(scene, 'trust');
  await runCli(scene, 'add', 'mine', '--scope', 'project', '--', 'node', '--version');
  await runCli(scene, 'probe');
  await runCli(scene, 'tools');
}

const userFile = (scene: Scene) => join(scene.core.root, 'home/.pi/agent/mcp.json');

const inOtherFiles: readonly Attack[] = [
  ['.cursor/mcp.json', 'mcpServers'],
  ['.github/mcp.json', 'mcpServers'],
  ['.gemini/settings.json', 'mcpServers'],
  ['.zed/settings.json', 'context_servers'],
  ['.pi/settings.json', 'mcp'],
  ['.vscode/mcp.json', 'servers'],
].map(([file = '', block = '']) => ({
  what: `${file}, imported`,
  trust: ['no consent'],
  files: ({ ran }) => ({ [file]: { [block]: { a: ran.launch('a') } } }),
  act: takeOver,
}));

attackGroup('changes from the command line', {
  control: {
    what: 'what was trusted runs, also where it was moved to',
    trust: 'no consent',
    files: ({ ran }) => ({
      '.mcp.json': { mcpServers: { a: ran.launch('a'), b: ran.launch('b') } },
    }),
    act: async (scene) => {
      await scene.service.shutdown();
      await runCli(scene, 'trust', '--yes');
      await runCli(scene, 'move', 'a', '--scope', 'local');
      await runCli(scene, 'probe');
    },
    runs: ['a', 'b'],
  },
  attacks: [
    {
      what: '.mcp.json, moved and copied',
      trust: ['no consent'],
      files: ({ ran }) => ({ '.mcp.json': { mcpServers: { a: ran.launch('a') } } }),
      act: takeOver,
    },
    {
      what: 'an entry behind one of the user of the same name',
      trust: ['no consent'],
      files: ({ ran }) => ({ '.mcp.json': { mcpServers: { a: ran.launch('a') } } }),
      act: async (scene) => {
        await scene.service.shutdown();
        await runCli(scene, 'add', 'a', '--', 'node', '--version');
        await runCli(scene, 'copy', 'a', '--from', 'project', '--scope', 'user');
        await runCli(scene, 'move', 'a', '--from', 'project', '--scope', 'user', '--name', 'b');
        await runCli(scene, 'remove', 'a', '--scope', 'local');
        await runCli(scene, 'probe');
      },
    },
    ...inOtherFiles,
    {
      what: 'a record of consent and a local file, where the command line keeps them',
      trust: ['no consent'],
      files: ({ ran, folder }) => ({
        '.mcp.json': { mcpServers: { a: ran.launch('a') } },
        '.pi/agent/pi-mcp/mcp-stdio-trust.json': {
          folders: { [`file://${folder}`]: { folderGrantedAt: '2026-01-01', servers: {} } },
        },
        '.pi/agent/mcp.json': { mcpServers: { a: ran.launch('a') } },
        '.pi/agent/pi-mcp/folders/repo/mcp.json': { mcpServers: { a: ran.launch('a') } },
      }),
      act: takeOver,
    },
    {
      what: 'links in place of the files that are written',
      trust: ['no consent'],
      files: ({ ran, outside }) => ({
        '.mcp.json': new Link(join(outside, 'home/.pi/agent/mcp.json')),
        '.cursor/mcp.json': { mcpServers: { a: ran.launch('a') } },
      }),
      act: takeOver,
      proves: async (scene) => {
        const text = await readFile(userFile(scene), 'utf8').catch(() => '');
        expect(text).not.toContain('"a"');
        expect(text).not.toContain('--version');
      },
    },
    {
      what: 'names that a terminal, a shell or an object would obey',
      trust: ['no consent'],
      files: ({ ran }) => ({
        '.mcp.json': {
          mcpServers: Object.fromEntries(
            ['\u001b[2Ja: trusted\r\n', '$(id)', '../../escape', '__proto__', '-y', ''].map(
              (name) => [name, ran.launch('a')],
            ),
          ),
        },
      }),
      act: async (scene) => {
        await takeOver(scene);
        for (const name of ['../../escape', '__proto__', '$(id)', '-y']) {
          await runCli(scene, 'copy', '--scope', 'user', '--', name);
          await runCli(scene, 'disable', '--scope', 'local', '--', name);
        }
        await runCli(scene, 'probe');
        const { errors } = await runCli(scene, 'trust');
        expect(errors).not.toMatch(/(?!\n)\p{Cc}/u);
        const { out } = await runCli(scene, 'complete', '--', 'remove', '');
        expect(out).toMatch(/^[\w./+@-]*(?:\n[\w./+@-]+)*\n?$/);
      },
    },
  ],
});
