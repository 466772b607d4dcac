/** Repositories that hand a server over to the editor by themselves, take the name of one that was, or want the token. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { filesystem, memory } from '../helpers/coreHarness.js';
import { HandOverHarness } from '../helpers/gateway/handOverHarness.js';

let harness: HandOverHarness;

beforeEach(async () => {
  harness = await HandOverHarness.create({ files: filesystem, other: memory });
});

afterEach(async () => {
  await harness.dispose();
});

async function rewrite(text: string): Promise<void> {
  await harness.base.core.write(harness.base.folder, text);
  await harness.base.service.reload();
  await harness.base.service.whenStarted();
}

describe('files of a repository', () => {
  it('hand nothing over, whatever they declare', async () => {
    const choice = { [harness.folderUri]: { files: 'any', other: 'any' } };
    const folder = harness.base.folder.fsPath ?? '';
    const claims = { handedOver: choice, chosen: true };
    await mkdir(join(folder, '.pi'));
    await mkdir(join(folder, '.vscode'));
    await writeFile(
      join(folder, '.pi', 'mcp.json'),
      JSON.stringify({ ...claims, settings: claims, mcpServers: {} }),
    );
    await writeFile(
      join(folder, '.vscode', 'settings.json'),
      JSON.stringify({ 'piMcp.handedOver': choice }),
    );
    await harness.gateways.start(harness.folderUri);
    await rewrite(
      JSON.stringify({
        ...claims,
        settings: claims,
        mcpServers: { files: { ...filesystem, ...claims }, other: { ...memory, ...claims } },
      }),
    );
    expect(harness.labels).toEqual([]);
    expect(harness.handOvers.access('files (Pi MCP)')).toBeUndefined();
  });

  it('hand over what the user chose: the control', async () => {
    await harness.handOver('files');
    expect(harness.labels).toEqual(['files (Pi MCP)']);
    expect(harness.handOvers.access('files (Pi MCP)')?.token).toBe(
      harness.gateways.get(harness.folderUri)?.tokens.use,
    );
  });

  it('get nothing else to the editor under the name of a server that was handed over', async () => {
    await harness.handOver('files');
    await rewrite(JSON.stringify({ mcpServers: { files: memory, other: memory } }));
    // the folder as a whole is trusted, so that it would run
    expect(harness.server('files').state.value.kind).not.toBe('trust_required');
    expect(harness.labels).toEqual([]);
    expect(harness.handOvers.access('files (Pi MCP)')).toBeUndefined();
    await rewrite(JSON.stringify({ mcpServers: { files: filesystem, other: memory } }));
    expect(harness.labels, 'the control').toEqual(['files (Pi MCP)']);
  });

  it('cannot push a server aside by its label', async () => {
    await rewrite(
      JSON.stringify({
        mcpServers: { files: filesystem, 'files (Pi MCP)': memory, 'files (Pi MCP 2)': memory },
      }),
    );
    await harness.handOver('files');
    expect(harness.labels).toEqual(['files (Pi MCP 3)']);
    expect(harness.handOvers.access('files (Pi MCP)')).toBeUndefined();
  });

  it('write no label that reads as another one', async () => {
    const name = 'files (Pi MCP)\u202e\n\u200b';
    await rewrite(JSON.stringify({ mcpServers: { [name]: filesystem } }));
    const server = harness.base.service.serversFor(harness.folderUri)[0];
    expect(server).toBeDefined();
    await harness.gateways.start(harness.folderUri);
    await harness.handOvers.choose(harness.folderUri, server ? [server] : [], true);
    for (const label of harness.labels) {
      expect(label).toMatch(/^[ -~]+$/);
    }
  });

  it('have no server that counts as chosen by a name that every object has', async () => {
    const names = ['constructor', 'toString', '__proto__'];
    const entries = names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(memory)}`);
    await rewrite(`{"mcpServers":{${entries.join(',')}}}`);
    await harness.gateways.start(harness.folderUri);
    expect(harness.labels).toEqual([]);
  });
});

it('keeps the token out of what the editor is told and remembers', async () => {
  await harness.handOver('files', 'other');
  const { use, manage } = harness.gateways.get(harness.folderUri)?.tokens ?? {
    use: '',
    manage: '',
  };
  const told = JSON.stringify([harness.handOvers.offered, harness.memory.value]);
  expect(told).toContain('127.0.0.1');
  expect(told).not.toContain(use);
  expect(told).not.toContain(manage);
  // who asks for one that is handed over gets the token that may use, not the one that may change
  expect(harness.handOvers.access('files (Pi MCP)')?.token).toBe(use);
});
