import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { onceEvent } from '../../../../src/base/event.js';
import { ToolStatistics } from '../../../../src/mcp/catalog/records/toolStatistics.js';
import { noConsent } from '../../../../src/mcp/trust/canStart.js';
import { TrustStore, trustFileName } from '../../../../src/mcp/trust/trustStore.js';
import { nullLogger } from '../../../../src/platform/ports.js';
import { SharedRecord } from '../../../../src/platform/stores/sharedRecord.js';
import { SharedStore } from '../../../../src/platform/stores/sharedStore.js';
import {
  realFiles,
  type StoredFiles,
  writeFileAtomic,
} from '../../../../src/platform/stores/storedFile.js';
import { until } from '../../../helpers/until.js';

let directory: string;
let reports: (() => void)[];
/** Files that are followed. */
let watched: number;
const opened: { dispose(): void }[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'pi-mcp-shared-'));
  reports = [];
  watched = 0;
});
afterEach(async () => {
  for (const store of opened.splice(0)) {
    store.dispose();
  }
  await rm(directory, { recursive: true, force: true });
});

type Operation = 'open' | 'readTextFile' | 'rename';

/** The real files, but operations fail as long as they are in `failing`. */
class FailingFiles implements StoredFiles {
  readonly failing = new Map<Operation, string>();
  platform: NodeJS.Platform = 'linux';
  failures = 0;

  readonly mkdir = realFiles.mkdir;
  readonly rm = realFiles.rm;
  readonly open = this.unlessFailing('open', realFiles.open);
  readonly readTextFile = this.unlessFailing('readTextFile', realFiles.readTextFile);
  readonly rename = this.unlessFailing('rename', realFiles.rename);

  private unlessFailing<T extends Operation>(name: T, operation: StoredFiles[T]): StoredFiles[T] {
    const call = (...args: readonly unknown[]) => {
      const code = this.failing.get(name);
      if (code !== undefined) {
        this.failures++;
        return Promise.reject(Object.assign(new Error(`${code}: failed`), { code }));
      }
      return (operation as (...all: readonly unknown[]) => unknown)(...args);
    };
    return call as StoredFiles[T];
  }
}

const watcher = {
  watch: (_path: string, onDidChange: () => void) => {
    reports.push(onDidChange);
    watched += 1;
    const dispose = () => {
      watched -= 1;
    };
    return { dispose };
  },
};

/** Retries at once, unless a test must see the folder as a failure leaves it. */
async function openTrust(
  files: StoredFiles,
  messages: string[] = [],
  retryMs = 5,
): Promise<TrustStore> {
  const logger = { log: (_level: string, message: string) => void messages.push(message) };
  const store = new TrustStore({ directory, watcher, logger, files, retryMs });
  opened.push(store);
  await store.start();
  return store;
}

const grant = () => ({ folderGrantedAt: '2026-01-01', servers: {} });

async function storedFolders(): Promise<readonly string[]> {
  const { folders } = JSON.parse(await readFile(join(directory, trustFileName), 'utf8'));
  return Object.keys(folders);
}

it.each(['EACCES', 'EMFILE', 'EIO', 'ENOTDIR'])(
  'keep what they know while their file cannot be read (%s), and destroy nothing',
  async (code) => {
    const files = new FailingFiles();
    const messages: string[] = [];
    const store = await openTrust(files, messages);
    await store.update('file:///a', grant);
    await store.update('file:///b', grant);
    files.failing.set('readTextFile', code);
    reports[0]?.();
    const saving = store.update('file:///c', grant);
    await expect(saving).rejects.toMatchObject({
      code: 'not_saved',
      message: expect.stringContaining(code),
    });
    expect(store.get('file:///a')).toEqual(grant());
    expect(messages.filter((message) => message.includes(code)).length).toBeGreaterThan(0);
    expect(await storedFolders()).toEqual(['file:///a', 'file:///b']);
    files.failing.clear();
    await until(async () => (await storedFolders()).length === 3);
    expect(await storedFolders()).toEqual(['file:///a', 'file:///b', 'file:///c']);
  },
);

it('know nothing while their file cannot be read at the start, and read it later', async () => {
  const files = new FailingFiles();
  await (await openTrust(new FailingFiles())).update('file:///a', grant);
  files.failing.set('readTextFile', 'EMFILE');
  const store = await openTrust(files);
  expect(store.get('file:///a')).toBe(noConsent);
  const read = onceEvent(store.onDidChange, () => store.get('file:///a') !== noConsent);
  files.failing.clear();
  await read;
  expect(store.get('file:///a')).toEqual(grant());
});

it('keep one merged change while the disk is full, and write it when there is space', async () => {
  const files = new FailingFiles();
  const store = new SharedRecord<Readonly<Record<string, number>>>({
    directory,
    watcher,
    logger: nullLogger,
    files,
    retryMs: 5,
    fileName: 'numbers.json',
    initial: {},
    parse: (value) => value as Readonly<Record<string, number>>,
    depth: 1,
  });
  opened.push(store);
  await store.start();
  await store.edit(() => ({ kept: 1, gone: 2 }));
  files.failing.set('open', 'ENOSPC');
  const failures = Array.from({ length: 500 }, (_item, index) =>
    store.edit(({ gone: _gone, ...others }) => ({ ...others, last: index })),
  );
  for (const failure of failures) {
    await expect(failure).rejects.toMatchObject({ code: 'not_saved' });
  }
  expect(store.value).toEqual({ kept: 1, last: 499 });
  // one change by key, not five hundred
  const { change } = Reflect.get(store, 'unsaved') as { change: ReadonlyMap<string, unknown> };
  expect([...change.keys()]).toEqual(['gone', 'last']);
  // another window, whose disk is larger
  await writeFileAtomic(
    join(directory, 'numbers.json'),
    JSON.stringify({ kept: 1, gone: 2, other: 3 }),
  );
  files.failing.clear();
  await store.edit((value) => ({ ...value, now: 1 }));
  expect(JSON.parse(await readFile(join(directory, 'numbers.json'), 'utf8'))).toEqual({
    kept: 1,
    other: 3,
    last: 499,
    now: 1,
  });
  expect(await readdir(directory)).toEqual(['numbers.json']);
});

it('count every call of two windows although one could not write for a while', async () => {
  const path = join(directory, 'stats.json');
  const files = new FailingFiles();
  const [full, other] = [{ files }, {}].map((place) => {
    const statistics = new ToolStatistics({ watcher, logger: nullLogger, ...place });
    opened.push(statistics);
    return statistics;
  }) as [ToolStatistics, ToolStatistics];
  const call = { server: 's', tool: 't', durationMs: 1, bytes: 1, tokens: 1 };
  for (const statistics of [full, other]) {
    await statistics.keepIn({ path, flushDelayMs: 60_000 });
  }
  files.failing.set('open', 'ENOSPC');
  for (let round = 0; round < 5; round++) {
    full.record(call);
    other.record(call);
    await Promise.all([full.flush(), other.flush()]);
  }
  expect(full.all).toMatchObject([{ calls: 5 }]);
  files.failing.clear();
  full.record(call);
  await full.flush();
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject([{ calls: 11 }]);
});

it.each(['EPERM', 'EBUSY', 'EACCES'])(
  'wait on Windows until whoever reads the file lets it be replaced (%s)',
  async (code) => {
    const files = new FailingFiles();
    files.platform = 'win32';
    files.failing.set('rename', code);
    const store = await openTrust(files);
    const saving = store.update('file:///a', grant);
    await until(() => files.failures >= 3);
    files.failing.clear();
    await saving;
    expect(await storedFolders()).toEqual(['file:///a']);
  },
);

it.each<[platform: NodeJS.Platform, tries: number]>([
  ['win32', 8],
  ['linux', 1],
])('say so when the file can never be replaced: on %s after %d tries', async (platform, tries) => {
  const files = new FailingFiles();
  files.platform = platform;
  files.failing.set('rename', 'EPERM');
  const store = await openTrust(files, [], 60_000);
  await expect(store.update('file:///a', grant)).rejects.toMatchObject({ code: 'not_saved' });
  expect(files.failures).toBe(tries);
  expect(await readdir(directory)).toEqual([]);
});

it('say so when a directory stands where their file belongs', async () => {
  await mkdir(join(directory, trustFileName));
  const store = await openTrust(new FailingFiles(), [], 60_000);
  await expect(store.update('file:///a', grant)).rejects.toMatchObject({
    code: 'not_saved',
    message: expect.stringContaining('not a regular file'),
  });
});

const path = () => join(directory, trustFileName);
const damage = () => writeFile(path(), '{"folders": {"file:///a": {"fold');

it('try again ever more rarely, at least every minute, and soon once they could write', async () => {
  const waits: number[] = [];
  const spy = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => spy.mockRestore());
  const files = new FailingFiles();
  const store = await openTrust(files, [], 10_000);
  const late = () => spy.mock.calls.map(([, ms = 0]) => ms).filter((ms) => ms >= 10_000);
  files.failing.set('open', 'ENOSPC');
  for (let count = 0; count < 5; count++) {
    await expect(store.update('file:///a', grant)).rejects.toMatchObject({ code: 'not_saved' });
  }
  waits.push(...late());
  expect(waits).toEqual([10_000, 20_000, 40_000, 60_000, 60_000]);
  files.failing.clear();
  await store.update('file:///b', grant);
  files.failing.set('open', 'ENOSPC');
  await expect(store.update('file:///c', grant)).rejects.toMatchObject({ code: 'not_saved' });
  expect(late().slice(waits.length)).toEqual([10_000]);
});

it('tell nobody of anything once they are disposed', async () => {
  const one = await openTrust(new FailingFiles());
  let changes = 0;
  one.onDidChange(() => changes++);
  const writing = one.update('file:///a', grant);
  expect(changes).toBe(1);
  one.dispose();
  const last = one.update('file:///b', grant);
  await Promise.all([writing, last]);
  expect([changes, await storedFolders()]).toEqual([1, ['file:///a', 'file:///b']]);
  expect(watched).toBe(0);
});

describe('what one window revoked', () => {
  /** One whose grant of `a` could not be saved, and another one that revokes it. */
  async function twoWindows(retryMs?: number) {
    const files = new FailingFiles();
    const granting = await openTrust(files, [], retryMs);
    const other = await openTrust(new FailingFiles());
    await other.update('file:///b', grant);
    files.failing.set('open', 'ENOSPC');
    await expect(granting.update('file:///a', grant)).rejects.toMatchObject({ code: 'not_saved' });
    expect(granting.get('file:///a')).toEqual(grant());
    return { files, granting, other };
  }
  const report = () => {
    for (const one of reports) {
      one();
    }
  };

  it('the control: an older grant is written once that can be', async () => {
    const { files } = await twoWindows();
    files.failing.clear();
    await until(async () => (await storedFolders()).includes('file:///a'));
  });

  it.each([
    ['', async () => undefined],
    [', whose file was damaged before', damage],
  ])('is given back by no older grant of another one%s', async (_when, before) => {
    const { files, granting, other } = await twoWindows();
    await before();
    await other.revoke('file:///a');
    const forgotten = onceEvent(
      granting.onDidChange,
      () => granting.get('file:///a') === noConsent,
    );
    report();
    // at once, not when it can be written
    await forgotten;
    files.failing.clear();
    await granting.update('file:///c', grant);
    expect(await storedFolders()).not.toContain('file:///a');
    expect(await storedFolders()).toContain('file:///c');
  });

  it.each([
    ['set aside by the first window', async (one: TrustStore) => one.update('file:///x', grant)],
    ['gone as well', async () => rm(path(), { force: true })],
    [
      'written anew by an older window',
      async () => writeFile(path(), '{"folders": {"file:///x": {"servers": {}}}}'),
    ],
  ])(
    'is given back by no older grant, the file being damaged after and %s',
    async (_how, after) => {
      const { files, granting, other } = await twoWindows();
      await other.revoke('file:///a');
      await damage();
      const third = await openTrust(new FailingFiles());
      await after(third);
      report();
      await until(() => granting.get('file:///a') === noConsent);
      files.failing.clear();
      await granting.update('file:///c', grant);
      expect(granting.get('file:///a')).toBe(noConsent);
      expect(await storedFolders()).not.toContain('file:///a');
      expect(await storedFolders()).toContain('file:///c');
    },
  );

  it('is not given back while an older grant is written with a revocation of its own', async () => {
    const { files, granting, other } = await twoWindows(60_000);
    await expect(granting.revoke('file:///y')).rejects.toMatchObject({ code: 'not_saved' });
    await other.revoke('file:///a');
    report();
    await until(() => granting.get('file:///a') === noConsent);
    files.failing.clear();
    const writing = granting.revoke('file:///z');
    await new Promise(setImmediate);
    const isGone: boolean[] = [];
    granting.onDidChange(() => isGone.push(granting.get('file:///a') === noConsent));
    await Promise.all([writing, granting.update('file:///d', grant)]);
    expect([...new Set(isGone)]).toEqual([true]);
    expect(await storedFolders()).toEqual(['file:///b', 'file:///d']);
  });

  it('is given back by no older grant of a list either', async () => {
    const openList = async (files: StoredFiles) => {
      const store = new SharedStore<readonly string[], readonly string[]>({
        directory,
        watcher,
        logger: nullLogger,
        files,
        retryMs: 5,
        fileName: 'list.json',
        initial: [],
        parse: (value) =>
          Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined,
        apply: (value, change) => [...new Set([...value, ...change])],
        merge: (earlier, later) => [...earlier, ...later],
        narrow: (stored, wanted) => wanted.filter((one) => stored.includes(one)),
      });
      opened.push(store);
      await store.start();
      return store;
    };
    const files = new FailingFiles();
    const granting = await openList(files);
    const other = await openList(new FailingFiles());
    await other.update(['b']);
    files.failing.set('open', 'ENOSPC');
    await expect(granting.update(['a'])).rejects.toMatchObject({ code: 'not_saved' });
    expect(granting.value).toContain('a');
    await other.update([], true);
    report();
    await until(() => !granting.value.includes('a'));
    files.failing.clear();
    await granting.update(['c']);
    expect([granting.value, (await openList(new FailingFiles())).value]).toEqual([
      ['b', 'c'],
      ['b', 'c'],
    ]);
  });

  it('is forgotten by an older window, and then given back by no grant that could not be saved', async () => {
    const files = new FailingFiles();
    const granting = await openTrust(files, [], 60_000);
    await granting.revoke('file:///x');
    files.failing.set('open', 'ENOSPC');
    await expect(granting.update('file:///a', grant)).rejects.toMatchObject({ code: 'not_saved' });
    await writeFile(path(), '{"folders": {"file:///y": {"servers": {}}}}');
    report();
    await until(() => granting.get('file:///a') === noConsent);
    files.failing.clear();
    await granting.update('file:///c', grant);
    expect(await storedFolders()).toEqual(['file:///y', 'file:///c']);
  });

  it('is forgotten by an older window, and takes back nothing that the user grants after that', async () => {
    const granting = await openTrust(new FailingFiles());
    await granting.revoke('file:///x');
    await writeFile(path(), '{"folders": {"file:///y": {"servers": {}}}}');
    await granting.update('file:///a', grant);
    expect(await storedFolders()).toEqual(['file:///y', 'file:///a']);
  });

  it('is gone where the revoking window did not know of it yet', async () => {
    const granting = await openTrust(new FailingFiles());
    const other = await openTrust(new FailingFiles());
    await granting.update('file:///a', grant);
    expect(other.get('file:///a')).toBe(noConsent);
    await other.revoke('file:///a');
    expect(await storedFolders()).toEqual([]);
  });

  it('stays revoked as late as the file says, where that is later than the clock here', async () => {
    const revokedAt = '2099-01-01T00:00:00.000Z';
    await writeFile(path(), JSON.stringify({ folders: {}, revokedAt }));
    await (await openTrust(new FailingFiles())).revoke('file:///a');
    expect(JSON.parse(await readFile(path(), 'utf8'))).toMatchObject({ revokedAt });
  });

  it('can be granted anew, by the same window at once and by the other one later', async () => {
    const one = await openTrust(new FailingFiles());
    const two = await openTrust(new FailingFiles());
    const revoking = one.revoke('file:///a');
    await Promise.all([revoking, one.update('file:///a', grant)]);
    expect(await storedFolders()).toEqual(['file:///a']);
    await one.revoke('file:///a');
    const revokedAt = Date.now();
    // of the same millisecond, nobody knows which was the later one
    await until(() => Date.now() > revokedAt + 10);
    await two.update('file:///a', grant);
    expect(await storedFolders()).toEqual(['file:///a']);
  });
});
