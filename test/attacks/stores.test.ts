/** Files in which the extension keeps decisions: a repository cannot bring them along, and damage grants nothing. */
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { trustFileName } from '../../src/mcp/trust/trustStore.js';
import { type Attack, attackGroup } from '../helpers/attacks/attackGroup.js';
import type { Scene } from '../helpers/attacks/scene.js';

const grantedAt = '2020-01-01T00:00:00.000Z';

function trustFile({ core }: Scene): string {
  return join(core.storageDir, trustFileName);
}

/** Another window, or somebody who damages it, writes the file before the next window opens. */
function stored(what: string, text: (scene: Scene) => string): Attack {
  return {
    what,
    trust: ['no consent'],
    files: ({ ran }) => ({ '.mcp.json': { mcpServers: { a: ran.launch('a') } } }),
    act: async (scene) => {
      await scene.service.shutdown();
      await mkdir(scene.core.storageDir, { recursive: true });
      await writeFile(trustFile(scene), text(scene));
      await openAgain(scene);
    },
  };
}

async function openAgain({ core, folder }: Scene): Promise<void> {
  const service = core.open();
  await service.whenStarted();
  const servers = service.pools.find(({ id }) => id === folder.uri)?.servers ?? [];
  expect(servers.map(({ state }) => state.value.kind)).toEqual(['trust_required']);
  await Promise.allSettled(servers.map((server) => server.ensureConnected()));
  await service.shutdown();
}

attackGroup('stored decisions', {
  control: {
    what: 'consent that the user gave is there in the next window',
    files: ({ ran }) => ({ '.mcp.json': { mcpServers: { a: ran.launch('a') } } }),
    act: async (scene) => {
      await scene.service.shutdown();
      expect(await readFile(trustFile(scene), 'utf8')).toContain(scene.folder.uri);
      const service = scene.core.open();
      await service.whenStarted();
      await service.shutdown();
    },
    runs: ['a'],
  },
  attacks: [
    {
      what: 'a trust file in every place of the repository',
      trust: ['no consent'],
      files: ({ ran, folder }) => {
        const record = { folders: { [`file://${folder}`]: { folderGrantedAt: grantedAt } } };
        return {
          '.mcp.json': { mcpServers: { a: ran.launch('a') } },
          [trustFileName]: record,
          [`.pi/${trustFileName}`]: record,
          [`.vscode/${trustFileName}`]: record,
          [`.pi/agent/${trustFileName}`]: record,
        };
      },
    },
    stored('no JSON', () => '{"folders": {'),
    stored('a list', () => '[]'),
    stored('grants of no sense', ({ folder }) =>
      JSON.stringify({
        folders: { [folder.uri]: { folderGrantedAt: true, servers: { a: true } } },
      }),
    ),
    stored(
      'a grant under the prototype of its folders',
      () =>
        `{"folders": {"__proto__": {"folderGrantedAt": "${grantedAt}"}}, "__proto__": {"folders": {}}}`,
    ),
    stored('grants for every folder', () =>
      JSON.stringify({ folders: { '*': { folderGrantedAt: grantedAt }, '': {}, 'file:///': {} } }),
    ),
    stored('consent to another launch under the name', ({ folder }) =>
      JSON.stringify({ folders: { [folder.uri]: { servers: { a: { hash: '', summary: {} } } } } }),
    ),
    {
      what: 'a trust file that is a link to one of the repository which is no file',
      trust: ['no consent'],
      files: ({ ran }) => ({ '.mcp.json': { mcpServers: { a: ran.launch('a') } }, 'pipe/x': '' }),
      act: async (scene) => {
        await scene.service.shutdown();
        await mkdir(scene.core.storageDir, { recursive: true });
        await symlink(scene.path('pipe'), trustFile(scene));
        await openAgain(scene);
      },
    },
  ],
});
