import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { NodeFileWatcher } from '../../../src/platform/nodeFileWatcher.js';
import { FakeClock } from '../../helpers/fakes/fakeClock.js';
import { until } from '../../helpers/until.js';

it('reports nothing of what a reader finds once it has begun, and everything after that', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-watch-'));
  const path = join(root, 'mcp.json');
  await writeFile(path, '{}');
  let changes = 0;
  let report: () => void = () => undefined;
  const changed = new Promise<void>((resolve) => {
    report = resolve;
  });
  const watch = new NodeFileWatcher({ pollMs: 50 }).watch(path, () => {
    changes++;
    report();
  });
  await watch.begun;
  // a change before the watch stands is found by comparing
  await writeFile(path, '{"mcpServers":{}}');
  await changed;
  expect(changes).toBe(1);
  watch.dispose();
  const disposed = new NodeFileWatcher().watch(path, () => undefined);
  disposed.dispose();
  await disposed.begun;
  await rm(root, { recursive: true });
});

it('looks by itself less and less often while nothing happens, and at once when something does', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pi-mcp-watch-'));
  const path = join(root, 'mcp.json');
  await writeFile(path, '{}');
  const clock = new PausesClock();
  let report: () => void = () => undefined;
  const watch = new NodeFileWatcher({ pollMs: 2000, clock }).watch(path, () => report());
  const pauses: number[] = [];
  for (let look = 0; look < 5; look++) {
    const pause = await clock.nextPause();
    pauses.push(pause);
    clock.advance(pause);
  }
  expect(pauses).toEqual([2000, 4000, 8000, 16_000, 16_000]);
  await clock.nextPause();
  // no more time passes: only an event can tell
  const changed = new Promise<void>((resolve) => {
    report = resolve;
  });
  await writeFile(path, '{"mcpServers":{}}');
  await changed;
  expect(await clock.nextPause()).toBe(2000);
  watch.dispose();
  expect(clock.pending).toEqual([]);
  await rm(root, { recursive: true });
});

it('keeps its pace where the system has no watches left', async () => {
  const { clock, handles } = await watchQuietly(() => {
    throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), {
      code: 'ENOSPC',
    });
  });
  for (let look = 1; look < 4; look++) {
    const pause = await Promise.race([clock.nextPause(), until(() => handles.length > 50)]);
    expect([pause, handles.length]).toEqual([2000, look]);
    clock.advance(2000);
  }
});

it.each<[string, (file: QuietFile) => void, readonly number[]]>([
  ['a look by itself has found', ({ clock }) => clock.advance(2000), [2000, 2000, 2000]],
  [
    'a look by itself has found, while a watch is broken',
    ({ clock, handles }) => {
      handles[0]?.emit('error', new Error('EPERM'));
      clock.advance(2000);
    },
    [200, 2000, 2000],
  ],
  ['an event tells of', ({ tell }) => tell(), [2000, 4000, 8000]],
  [
    'an event tells of during a look by itself',
    ({ clock, tell }) => {
      clock.advance(2000);
      tell();
    },
    [2000, 4000, 8000],
  ],
  [
    'an event tells of, before a look by itself is due',
    ({ clock, tell }) => {
      tell();
      clock.advance(2000);
    },
    [2000, 4000, 8000],
  ],
])('looks by itself as often as before only after a change that %s', async (_what, find, after) => {
  const file = await watchQuietly();
  const { clock } = file;
  await clock.nextPause();
  file.write();
  find(file);
  const pauses: number[] = [];
  for (const _ of after) {
    const pause = await clock.nextPause();
    pauses.push(pause);
    clock.advance(pause);
  }
  expect([pauses, file.changes]).toEqual([after, 1]);
});

it('looks once more after what happens while it looks, or before the watch stands', async () => {
  const file = await watchQuietly((opened) => {
    if (opened === 1) {
      file.write();
    }
  });
  file.onChange = () => {
    if (file.changes === 1) {
      file.write();
      file.tell();
    }
  };
  await file.clock.nextPause();
  expect(file.changes).toBe(2);
});

it('watches anew, in a moment and once, where a watch broke', async () => {
  const file = await watchQuietly();
  const { clock, handles } = file;
  await clock.nextPause();
  clock.advance(2000);
  await clock.nextPause();
  const [first] = handles;
  first?.emit('error', new Error('EPERM'));
  first?.emit('error', new Error('EPERM'));
  expect([first?.isClosed, clock.pending]).toEqual([true, [4000, 200]]);
  file.write();
  clock.advance(200);
  // the two of the moment, and that it is no slower for it
  expect([await clock.nextPause(), await clock.nextPause()]).toEqual([200, 200]);
  expect(await clock.nextPause()).toBe(8000);
  expect([file.changes, handles.map(({ isClosed }) => isClosed)]).toEqual([1, [true, false]]);
  handles[1]?.emit('error', new Error('EPERM'));
  file.dispose();
  expect(clock.pending).toEqual([]);
});

it('watches the folder that has taken the place of another one, and that alone', async () => {
  const { clock, handles, path, tell } = await watchQuietly();
  await clock.nextPause();
  await rename(dirname(path), `${dirname(path)}-old`);
  await mkdir(dirname(path));
  tell();
  await clock.nextPause();
  expect(handles.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

it('is no oftener at a file in a folder that a look by itself has found', async () => {
  const file = await watchQuietly((opened) => {
    if (opened === 3) {
      file.write();
    }
  });
  const { clock, path } = file;
  await clock.nextPause();
  await rename(dirname(path), `${dirname(path)}-old`);
  file.tell();
  await clock.nextPause();
  await mkdir(dirname(path));
  clock.advance(2000);
  expect([await clock.nextPause(), file.changes]).toEqual([4000, 2]);
});

it.each<[string, (file: QuietFile) => void, number]>([
  ['before its first look is over', ({ dispose }) => dispose(), 0],
  [
    'during a look',
    (file) => {
      file.write();
      file.tell();
      file.dispose();
    },
    1,
  ],
  [
    'when it tells of a change',
    (file) => {
      file.onChange = file.dispose;
      file.write();
      file.tell();
    },
    1,
  ],
])('leaves nothing behind when it is disposed of %s', async (_when, end, watches) => {
  const file = await watchQuietly();
  if (watches > 0) {
    await file.clock.nextPause();
  }
  end(file);
  await outlastLooks();
  const isOver = file.handles.every(({ isClosed }) => isClosed);
  expect([file.handles.length, isOver, file.clock.pending]).toEqual([watches, true, []]);
  expect(file.changes).toBe(file.onChange === file.dispose ? 1 : 0);
});

it('keeps its pace where another machine may change the file', async () => {
  const nfs = 0x6969;
  const { clock } = await watchQuietly(undefined, () => nfs);
  for (const pause of [2000, 2000, 2000]) {
    expect(await clock.nextPause()).toBe(pause);
    clock.advance(pause);
  }
});

it('opens no watch once it is disposed of, also while it asks for the kind of place', async () => {
  const file = await watchQuietly(undefined, () => {
    file.dispose();
    return ext4;
  });
  await outlastLooks();
  expect([file.handles, file.clock.pending]).toEqual([[], []]);
});

/** A look asks the file system a tenth as often, one question after the other. */
async function outlastLooks(): Promise<void> {
  for (let asked = 0; asked < 100; asked++) {
    await realpath(tmpdir());
  }
}

/** As statfs(2) has it. */
const ext4 = 0xef53;

class FakeHandle extends EventEmitter {
  isClosed = false;

  close(): void {
    this.isClosed = true;
  }
}

type QuietFile = Awaited<ReturnType<typeof watchQuietly>>;

/**
 * A file whose watches tell what a test lets them.
 * @param onOpen told how many there have been
 * @param placeOf the kind of file system
 */
async function watchQuietly(
  onOpen: (opened: number) => void = () => undefined,
  placeOf = () => ext4,
) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pi-mcp-watch-')));
  const path = join(root, 'folder', 'mcp.json');
  await mkdir(dirname(path));
  await writeFile(path, '');
  const handles: FakeHandle[] = [];
  let tell: (event: string, name: string) => void = () => undefined;
  const { watch: realWatch } = fs;
  const { statfs: realStatfs } = fs.promises;
  fs.promises.statfs = (async () => ({ type: placeOf() })) as unknown as typeof realStatfs;
  fs.watch = ((_folder: string, _options: unknown, listener: typeof tell) => {
    const handle = new FakeHandle();
    handles.push(handle);
    tell = listener;
    onOpen(handles.length);
    return handle;
  }) as unknown as typeof fs.watch;
  syncBuiltinESMExports();
  const clock = new PausesClock();
  const watch = new NodeFileWatcher({ pollMs: 2000, clock }).watch(path, () => {
    file.changes++;
    file.onChange();
  });
  onTestFinished(async () => {
    watch.dispose();
    fs.watch = realWatch;
    fs.promises.statfs = realStatfs;
    syncBuiltinESMExports();
    await rm(root, { recursive: true });
  });
  const file = {
    path,
    clock,
    handles,
    changes: 0,
    onChange: (): void => undefined,
    tell: () => tell('change', 'mcp.json'),
    /** As another program would, at once. */
    write: () => fs.appendFileSync(path, 'x'),
    dispose: () => watch.dispose(),
  };
  return file;
}

/** Tells of each timer that is set. */
class PausesClock extends FakeClock {
  private readonly pauses: number[] = [];
  private told: () => void = () => undefined;

  override after(ms: number, callback: () => void) {
    this.pauses.push(ms);
    this.told();
    return super.after(ms, callback);
  }

  async nextPause(): Promise<number> {
    while (this.pauses.length === 0) {
      await new Promise<void>((resolve) => {
        this.told = resolve;
      });
    }
    return this.pauses.shift() ?? 0;
  }
}
