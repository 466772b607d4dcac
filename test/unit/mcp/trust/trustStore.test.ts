import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onceEvent } from '../../../../src/base/event.js';
import { noConsent } from '../../../../src/mcp/trust/canStart.js';
import { TrustStore, trustFileName } from '../../../../src/mcp/trust/trustStore.js';
import { NodeFileWatcher } from '../../../../src/platform/nodeFileWatcher.js';
import { nullLogger } from '../../../../src/platform/ports.js';

let directory: string;
let stores: TrustStore[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pi-mcp-trust-'));
  stores = [];
});

afterEach(async () => {
  for (const store of stores) {
    store.dispose();
  }
  await rm(directory, { recursive: true, force: true });
});

async function openStore(): Promise<TrustStore> {
  const store = new TrustStore({ directory, watcher: new NodeFileWatcher(), logger: nullLogger });
  stores.push(store);
  await store.start();
  return store;
}

const grant = () => ({ folderGrantedAt: '2026-01-01', servers: {} });

describe('TrustStore', () => {
  it('keeps consent across restarts in a file that only the user can read', async () => {
    await (await openStore()).update('file:///a', grant);
    expect(trustFileName).toBe('mcp-stdio-trust.json');
    expect((await openStore()).get('file:///a')).toEqual(grant());
    expect((await stat(join(directory, trustFileName))).mode & 0o777).toBe(0o600);
  });

  it('is closed when what was changed so far is written', async () => {
    const store = await openStore();
    const writing = store.update('file:///a', grant);
    await store.close();
    const { folders } = JSON.parse(await readFile(join(directory, trustFileName), 'utf8'));
    expect(folders).toEqual({ 'file:///a': grant() });
    await writing;
  });

  it('keeps consent to single servers, and takes nothing else for one', async () => {
    const none = { env: [], headers: [], settings: [], reads: [], addresses: [], traits: [] };
    const description = { kind: 'stdio', inheritEnv: false, argv: ['node'], ...none } as const;
    const servers = { s: { hash: 'h', description } };
    await (await openStore()).update('file:///a', () => ({ servers }));
    const path = join(directory, trustFileName);
    const { folders } = JSON.parse(await readFile(path, 'utf8'));
    expect((await openStore()).get('file:///a')).toEqual({ servers });
    Object.assign(folders['file:///a'].servers, { older: { hash: 'h' }, odd: 7, no: null });
    await writeFile(path, JSON.stringify({ folders }));
    expect((await openStore()).get('file:///a')).toEqual({ servers });
  });

  it('keeps consent to extensions, and takes nothing else for one', async () => {
    const extensions = { hash: 'h', files: ['a.ts'] };
    await (await openStore()).update('file:///a', () => ({ servers: {}, extensions }));
    expect((await openStore()).get('file:///a')).toEqual({ servers: {}, extensions });
    const path = join(directory, trustFileName);
    const damaged = { servers: {}, extensions: { hash: 'h', files: [7] } };
    await writeFile(path, JSON.stringify({ folders: { 'file:///a': damaged } }));
    expect((await openStore()).get('file:///a')).toEqual({ servers: {} });
  });

  it.each([
    ['one launch', ['h'], ['h']],
    ['every launch of a name', ['*'], ['*']],
    ['every launch of a name of which the file is damaged', [7], ['*']],
    ['every launch of a name of which the file holds something else', 7, ['*']],
  ])('keeps that the agent wrote %s', async (_what, stored, kept) => {
    const folders = { 'file:///a': { servers: {}, agentWrote: { s: stored } } };
    await writeFile(join(directory, trustFileName), JSON.stringify({ folders }));
    const { agentWrote } = (await openStore()).get('file:///a');
    expect(agentWrote).toEqual({ s: kept });
  });

  it('never goes back to an older content while a decision is being written', async () => {
    const reports: (() => void)[] = [];
    const watcher = {
      watch: (_path: string, onDidChange: () => void) => {
        reports.push(onDidChange);
        return { dispose: () => undefined };
      },
    };
    const store = new TrustStore({ directory, watcher, logger: nullLogger });
    stores.push(store);
    await store.start();
    await store.update('file:///a', grant);
    const seen: boolean[] = [];
    store.onDidChange(() => seen.push(store.get('file:///a') !== noConsent));
    reports[0]?.();
    await store.revoke('file:///a');
    expect(seen).toEqual([false]);
  });

  it('learns of what another window revokes', async () => {
    const one = await openStore();
    await one.update('file:///a', grant);
    const two = await openStore();
    const revoked = onceEvent(one.onDidChange, () => one.get('file:///a') === noConsent);
    await two.revoke('file:///a');
    await revoked;
    expect(one.get('file:///a')).toBe(noConsent);
  });

  it('treats a damaged file as no consent and keeps it aside', async () => {
    await writeFile(join(directory, trustFileName), '{"folders": {"file:///a": {"folderGr');
    const store = await openStore();
    expect(store.get('file:///a')).toBe(noConsent);
    expect(await readdir(directory)).toEqual([`${trustFileName}.damaged`]);
  });

  it('ignores records that are not what we write', async () => {
    const folders = { a: null, b: { folderGrantedAt: true }, c: { servers: { x: { hash: 'h' } } } };
    await writeFile(join(directory, trustFileName), JSON.stringify({ folders }));
    const store = await openStore();
    expect([store.get('a'), store.get('b'), store.get('c')]).toEqual([
      noConsent,
      noConsent,
      noConsent,
    ]);
  });
});
