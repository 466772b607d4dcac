import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changesFolder } from '../../../../../src/agent/changes/changeLog.js';
import { SessionChanges } from '../../../../../src/agent/changes/sessionChanges.js';
import { MemoryFiles } from '../../../../helpers/fakes/memoryFiles.js';

let root: string;
let files: MemoryFiles;
let calls = 0;
const errors: unknown[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-checkpoints-'));
  files = new MemoryFiles();
  errors.length = 0;
});
// what is noted may still be on its way to the disk
afterEach(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));

const conversation = () => join(root, 'one.jsonl');

async function open(file = conversation()): Promise<SessionChanges> {
  const changes = new SessionChanges({ files, onError: (error) => errors.push(error) });
  await changes.open(file);
  return changes;
}

/** The user sends a message, for which the agent writes files. */
async function ask(
  changes: SessionChanges,
  id: string,
  writes: Readonly<Record<string, string | undefined>> = {},
): Promise<void> {
  changes.checkpoints.mark(id);
  changes.startRun();
  for (const [path, text] of Object.entries(writes)) {
    const journal = changes.journalOf(`call-${++calls}`);
    await journal.begin(path, await files.read(path));
    files.set(path, text);
    await journal.end(await files.read(path));
  }
}

/** Each file with what it would become, and what is said of it. */
async function preview(changes: SessionChanges, id: string): Promise<readonly string[]> {
  const plan = await changes.checkpoints.plan(id);
  return (plan?.files ?? []).map(({ path, after, isMerged, conflict }) =>
    [path, String(after), isMerged ? 'merged' : '', conflict ?? ''].filter(Boolean).join(' | '),
  );
}

/** What a user does who agrees to all of the preview. */
async function restore(changes: SessionChanges, id: string, paths?: readonly string[]) {
  const plan = await changes.checkpoints.plan(id);
  return await changes.checkpoints.restore(id, {
    stamp: plan?.stamp ?? '',
    paths: paths ?? plan?.files.map(({ path }) => path) ?? [],
  });
}

const under = (changes: SessionChanges) => [...(changes.state?.files.keys() ?? [])];

it('takes files back to before a message, to the byte, and a redo brings everything back', async () => {
  const changes = await open();
  const odd = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0xff, 0x00]);
  files.set('/odd', odd);
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n' });
  await ask(changes, 'm2', { '/a': 'TWO\n', '/odd': 'text\n', '/made': 'made\n' });
  await ask(changes, 'm3', { '/a': 'THREE\n' });
  expect(await preview(changes, 'm2')).toEqual(['/a | ONE\n', `/odd | ${odd}`, '/made | absent']);
  await restore(changes, 'm2');
  expect([files.text('/a'), files.text('/made')]).toEqual(['ONE\n', undefined]);
  expect(await files.read('/odd')).toEqual(odd);
  // what was done before the message stays under review
  expect(under(changes)).toEqual(['/a']);
  expect(String((await changes.review())[0]?.before)).toBe('one\n');
  expect(await preview(changes, 'm2')).toEqual([]);
  await changes.redo();
  expect([files.text('/a'), files.text('/odd'), files.text('/made')]).toEqual([
    'THREE\n',
    'text\n',
    'made\n',
  ]);
  expect(under(changes)).toEqual(['/a', '/odd', '/made']);
  await restore(changes, 'm1');
  expect([files.text('/a'), files.text('/made')]).toEqual(['one\n', undefined]);
  expect(under(changes)).toEqual([]);
});

it('says nothing of a moment that it does not know', async () => {
  const changes = await open();
  expect(await changes.checkpoints.plan('m1')).toBeUndefined();
  expect(await restore(changes, 'm1')).toBeUndefined();
});

it('takes back what the user has kept as well', async () => {
  const changes = await open();
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n' });
  await changes.keep();
  await ask(changes, 'm2');
  expect(await preview(changes, 'm1')).toEqual(['/a | one\n']);
  expect(await preview(changes, 'm2')).toEqual([]);
});

it('keeps what the user wrote elsewhere in a file, and says so', async () => {
  const changes = await open();
  files.set('/a', '1\r\n2\r\n3\r\n');
  await ask(changes, 'm1', { '/a': 'ONE\r\n2\r\n3\r\n' });
  files.set('/a', 'ONE\r\n2\r\n3\r\nmine\r\n');
  expect(await preview(changes, 'm1')).toEqual(['/a | 1\r\n2\r\n3\r\nmine\r\n | merged']);
  await restore(changes, 'm1');
  expect(files.text('/a')).toBe('1\r\n2\r\n3\r\nmine\r\n');
});

it('tells of lines that others changed as well, and replaces them only when they are chosen', async () => {
  const changes = await open();
  files.set('/a', '1\n2\n');
  files.set('/b', 'b\n');
  await ask(changes, 'm1', { '/a': 'ONE\n2\n', '/b': 'B\n', '/made': 'made\n' });
  files.set('/a', 'ONE and mine\n2\n');
  files.set('/made', 'made\nmine\n');
  expect(await preview(changes, 'm1')).toEqual([
    '/a | 1\n2\n | edited',
    '/b | b\n',
    '/made | absent | edited',
  ]);
  await restore(changes, 'm1', ['/b']);
  expect([files.text('/a'), files.text('/b')]).toEqual(['ONE and mine\n2\n', 'b\n']);
  await restore(changes, 'm1', ['/a', '/made']);
  expect([files.text('/a'), files.text('/made')]).toEqual(['1\n2\n', undefined]);
  await changes.redo();
  expect([files.text('/a'), files.text('/made')]).toEqual(['ONE and mine\n2\n', 'made\nmine\n']);
});

it('brings back what was deleted since, as it says', async () => {
  const changes = await open();
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n', '/made': 'made\n' });
  files.set('/a', undefined);
  files.set('/made', undefined);
  expect(await preview(changes, 'm1')).toEqual(['/a | one\n | deleted']);
  await restore(changes, 'm1');
  expect(files.text('/a')).toBe('one\n');
  await changes.redo();
  expect(files.text('/a')).toBeUndefined();
});

it('follows a file, and a folder, that the user renamed', async () => {
  const changes = await open();
  files.set('/dir/a', 'one\n');
  await ask(changes, 'm1', { '/dir/a': 'ONE\n', '/b': 'b\n' });
  await changes.keep();
  for (const [from, to] of [
    ['/dir/a', '/new/a'],
    ['/b', '/c'],
  ] as const) {
    files.set(to, files.text(from));
    files.set(from, undefined);
  }
  changes.moved('/dir', '/new');
  changes.moved('/b', '/c');
  expect(await preview(changes, 'm1')).toEqual(['/new/a | one\n', '/c | absent']);
  await restore(changes, 'm1');
  expect([files.text('/new/a'), files.text('/c'), files.text('/dir/a')]).toEqual([
    'one\n',
    undefined,
    undefined,
  ]);
});

it('does nothing once the files are others than those that were shown', async () => {
  const changes = await open();
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n' });
  const plan = await changes.checkpoints.plan('m1');
  files.set('/a', 'ONE\nmine\n');
  const request = { stamp: plan?.stamp ?? '', paths: ['/a'] };
  expect(await changes.checkpoints.restore('m1', request)).toBeUndefined();
  expect(files.text('/a')).toBe('ONE\nmine\n');
});

it('says of each file why it was left, and restores the others', async () => {
  const changes = await open();
  files.set('/locked', 'one\n');
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/locked': 'ONE\n', '/a': 'ONE\n' });
  files.locked.add('/locked');
  expect(await restore(changes, 'm1')).toEqual([
    { path: '/locked', result: 'failed', reason: '/locked is read-only.' },
    { path: '/a', result: 'restored' },
  ]);
  expect([files.text('/locked'), files.text('/a')]).toEqual(['ONE\n', 'one\n']);
  // nothing is to be brought back of the one that was left
  expect(changes.state?.undone.map(({ path }) => path)).toEqual(['/a']);
  expect(under(changes)).toEqual(['/locked']);
});

it('writes over nothing that it cannot keep', async () => {
  const changes = await open();
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n' });
  const large = `ONE\n${'x'.repeat(65 * 1024 * 1024)}`;
  files.set('/a', large);
  const [outcome] = (await restore(changes, 'm1')) ?? [];
  expect(outcome).toMatchObject({ result: 'failed', reason: expect.stringContaining('kept') });
  expect(files.text('/a')).toBe(large);
  expect(await changes.undo({ isForced: true })).toMatchObject([{ result: 'failed' }]);
  expect(files.text('/a')).toBe(large);
});

it('writes nothing when the disk does not take down what it is about to do', async () => {
  const changes = await open();
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n' });
  // a folder in its place cannot be written to
  const log = join(changesFolder(conversation()), 'changes.jsonl');
  await rm(log);
  await mkdir(log);
  expect(await restore(changes, 'm1')).toMatchObject([{ path: '/a', result: 'failed' }]);
  expect(files.text('/a')).toBe('ONE\n');
  expect(errors.length).toBeGreaterThan(0);
});

it('lists what cannot be restored, since what it held is not kept', async () => {
  const first = await open();
  files.set('/a', 'old\n');
  await ask(first, 'm1', { '/a': 'new\n' });
  const log = join(changesFolder(conversation()), 'changes.jsonl');
  await writeFile(
    log,
    (await readFile(log, 'utf8')).replace(/"before":"\w+"/, '"before":"unread"'),
  );
  const changes = await open();
  expect(await preview(changes, 'm1')).toEqual(['/a | unread']);
  expect(await restore(changes, 'm1')).toEqual([]);
  expect(files.text('/a')).toBe('new\n');
});

it('counts the calls since whose changes nobody recorded', async () => {
  const changes = await open();
  await ask(changes, 'm1');
  changes.noteOther('command');
  await ask(changes, 'm2');
  changes.noteOther('command');
  changes.noteOther('server');
  const others = async (id: string) => (await changes.checkpoints.plan(id))?.others;
  expect(await others('m1')).toEqual({ command: 2, server: 1 });
  expect(await others('m2')).toEqual({ command: 1, server: 1 });
});

it('takes back what an undo did since, and what another branch of the conversation did', async () => {
  const changes = await open();
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n' });
  await ask(changes, 'm2');
  await changes.undo();
  expect(files.text('/a')).toBe('one\n');
  expect(await preview(changes, 'm2')).toEqual(['/a | ONE\n']);
  await restore(changes, 'm1');
  await ask(changes, 'm1 in other words', { '/a': 'OTHER\n' });
  expect(await preview(changes, 'm2')).toEqual(['/a | ONE\n']);
  expect(await preview(changes, 'm1')).toEqual(['/a | one\n']);
});

it('takes up an undo as an earlier version noted it', async () => {
  const changes = await open();
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n' });
  await ask(changes, 'm2');
  await changes.undo();
  const log = join(changesFolder(conversation()), 'changes.jsonl');
  const text = await readFile(log, 'utf8');
  await writeFile(log, text.replace(/.*"restore".*/, '').replace('"restored"', '"undo"'));
  const next = await open();
  expect([under(next), await preview(next, 'm2')]).toEqual([[], ['/a | ONE\n']]);
  await next.redo();
  expect(files.text('/a')).toBe('ONE\n');
});

it('keeps what another conversation wrote in the same file', async () => {
  const one = await open();
  const other = await open(join(root, 'other.jsonl'));
  files.set('/a', '1\n2\n3\n');
  await ask(one, 'm1', { '/a': 'ONE\n2\n3\n' });
  await ask(other, 'm1', { '/a': 'ONE\n2\nTHREE\n' });
  expect(await preview(one, 'm1')).toEqual(['/a | 1\n2\nTHREE\n | merged']);
  await restore(one, 'm1');
  expect(await preview(other, 'm1')).toEqual(['/a | 1\n2\n3\n | merged']);
  await restore(other, 'm1');
  expect(files.text('/a')).toBe('1\n2\n3\n');
});

it('has the moment before each restore as a checkpoint', async () => {
  const changes = await open();
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n' });
  files.set('/a', 'ONE and mine\n');
  await restore(changes, 'm1');
  await ask(changes, 'm2', { '/a': 'other\n' });
  // the agent has gone on, so that there is no redo any more
  expect(changes.state?.undone).toEqual([]);
  const [snapshot] = [...changes.checkpoints.all].filter(([, { kind }]) => kind === 'restore');
  await restore(changes, snapshot?.[0] ?? '');
  expect(files.text('/a')).toBe('ONE and mine\n');
});

it('goes on in the next window', async () => {
  const first = await open();
  files.set('/a', 'one\n');
  await ask(first, 'm1', { '/a': 'ONE\n' });
  await ask(first, 'm2', { '/a': 'TWO\n' });
  const second = await open();
  expect([...second.checkpoints.all.keys()]).toEqual(['m1', 'm2']);
  expect(await preview(second, 'm2')).toEqual(['/a | ONE\n']);
  await restore(second, 'm2');
  const third = await open();
  await third.redo();
  expect(files.text('/a')).toBe('TWO\n');
  expect(await preview(await open(), 'm1')).toEqual(['/a | one\n']);
});

it('asks before a redo writes over what the user wrote since, and does not forget what it is to bring back', async () => {
  const changes = await open();
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n' });
  await restore(changes, 'm1');
  files.set('/a', 'mine\n');
  expect(await changes.redo()).toMatchObject([{ path: '/a', result: 'conflict' }]);
  expect(files.text('/a')).toBe('mine\n');
  expect(await (await open()).redo({ isForced: true })).toMatchObject([{ result: 'undone' }]);
  expect(files.text('/a')).toBe('ONE\n');
  // also that is a write that can be taken back
  expect(await preview(await open(), [...changes.checkpoints.all.keys()].at(-1) ?? '')).toEqual([]);
});

it('remembers where the conversation was until the user goes on', async () => {
  const changes = await open();
  await ask(changes, 'm1');
  await changes.checkpoints.noteLeft('leaf');
  expect((await open()).state?.left).toBe('leaf');
  await ask(changes, 'm2');
  // nobody waits for a mark to be written
  await expect.poll(async () => (await open()).state?.left).toBeUndefined();
});

it.each([0, 1, 2])('knows after a crash how far a restore came: %i files', async (written) => {
  const changes = await open();
  files.set('/a', 'a\n');
  files.set('/b', 'b\n');
  await ask(changes, 'm1', { '/a': 'A\n', '/b': 'B\n' });
  const plan = await changes.checkpoints.plan('m1');
  // killed at the beginning of a write: the later ones, and the end, never come
  let left = written;
  const killed = new Promise<never>(() => undefined);
  const atWrite = new Promise<void>((resolve) => {
    const write = files.write.bind(files);
    files.write = async (...given) => {
      if (left-- === 0) {
        resolve();
        await killed;
      }
      await write(...given);
      if (left === 0 && written === 2) {
        // in the middle of the last one
        files.set(given[0], '');
        resolve();
        await killed;
      }
    };
  });
  void changes.checkpoints.restore('m1', { stamp: plan?.stamp ?? '', paths: ['/a', '/b'] });
  await atWrite;
  const fresh = new MemoryFiles();
  for (const path of ['/a', '/b']) {
    fresh.set(path, files.text(path));
  }
  files = fresh;
  const next = await open();
  const undone = next.state?.undone.map(({ path }) => path);
  expect(undone).toEqual(['/a', '/b'].slice(0, written));
  // others may have written what only begins as it should
  const replaced = ['/a | A\n', '/b | B\n | edited'].slice(0, written);
  expect(await preview(next, [...next.checkpoints.all.keys()].at(-1) ?? '')).toEqual(replaced);
  await next.redo({ isForced: true });
  expect([files.text('/a'), files.text('/b')]).toEqual(['A\n', 'B\n']);
  await restore(await open(), 'm1');
  expect([files.text('/a'), files.text('/b')]).toEqual(['a\n', 'b\n']);
});

it('reads no line that it did not write', async () => {
  const changes = await open();
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n' });
  const log = join(changesFolder(conversation()), 'changes.jsonl');
  const planted = [
    { type: 'message', id: 7, time: 1 },
    {
      type: 'restore',
      id: 'r',
      time: 1,
      files: [{ path: '/etc/passwd', from: 1, to: 2, links: [] }],
    },
    { type: 'restored', undone: {}, files: [] },
    { type: 'redo', files: [{ path: '/etc/passwd' }], writes: [], undone: [] },
    { type: 'left', place: {} },
    { type: 'end', call: 'of nobody', after: 'absent' },
  ];
  const text = await readFile(log, 'utf8');
  await writeFile(log, `${text}${planted.map((one) => `${JSON.stringify(one)}\n`).join('')}`);
  const next = await open();
  expect([...next.checkpoints.all.keys()]).toEqual(['m1']);
  expect(next.state?.restoring).toBeUndefined();
  expect(under(next)).toEqual(['/a']);
  expect(errors).toEqual([]);
});

it('writes no content that was put in the place of what is kept', async () => {
  const changes = await open();
  files.set('/a', 'one\n');
  await ask(changes, 'm1', { '/a': 'ONE\n' });
  const blobs = join(changesFolder(conversation()), 'blobs');
  for (const name of await readdir(blobs)) {
    await writeFile(join(blobs, name), 'planted\n');
  }
  const next = await open();
  expect(await preview(next, 'm1')).toEqual(['/a | unread']);
  expect(await restore(next, 'm1')).toEqual([]);
  expect(files.text('/a')).toBe('ONE\n');
});

it('never loses a line of the user, whatever is done in whatever order', async () => {
  const step = fc.record({
    what: fc.constantFrom(
      'message',
      'agent',
      'agent',
      'user',
      'user',
      'delete',
      'restore',
      'restore',
      'restoreAll',
      'redo',
      'undo',
      'keep',
      'reload',
    ),
    at: fc.nat(8),
    isReplacing: fc.boolean(),
    path: fc.constantFrom('/a', '/b'),
  });
  const one = { at: 0, isReplacing: false, path: '/a' } as const;
  const restoreBesideALineOfTheUser = [
    { ...one, what: 'user' as const, at: 2 },
    { ...one, what: 'agent' as const, at: 2, isReplacing: true },
    { ...one, what: 'restore' as const },
    { ...one, what: 'user' as const },
    { ...one, what: 'restore' as const, at: 1 },
  ];
  const restoreOfWhatRedoBroughtBack = [
    { ...one, what: 'message' as const },
    { ...one, what: 'agent' as const, path: '/b' as const },
    { ...one, what: 'restoreAll' as const },
    { ...one, what: 'restore' as const },
    { ...one, what: 'user' as const, path: '/b' as const },
    { ...one, what: 'restoreAll' as const, at: 2 },
    { ...one, what: 'restore' as const, at: 6 },
  ];
  const mine = (text: string | undefined): readonly string[] => text?.match(/^user .*$/gm) ?? [];
  let folder = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
      files = new MemoryFiles();
      const file = join(root, `${++folder}.jsonl`);
      let changes = await open(file);
      files.set('/a', 'one\ntwo\nthree\nfour\nfive\n');
      let count = 0;
      /** Lines that a restore, an undo or a redo brought back: a later restore or redo takes them away. */
      const broughtBack = new Set<string>();
      for (const { what, at, isReplacing, path } of steps) {
        const before = ['/a', '/b'].map((one) => files.text(one));
        const lines = (files.text(path) ?? '').split(/(?<=\n)/).filter(Boolean);
        const change = (who: string) =>
          lines
            .toSpliced(Math.min(at, lines.length), isReplacing ? 1 : 0, `${who} ${++count}\n`)
            .join('');
        const ids = [...changes.checkpoints.all.keys()];
        const id = ids[at % Math.max(1, ids.length)] ?? '';
        const plan = await changes.checkpoints.plan(id);
        const chosen = (plan?.files ?? []).filter(
          ({ conflict }) => what === 'restoreAll' || conflict !== 'edited',
        );
        switch (what) {
          case 'message':
            await ask(changes, `m${++count}`);
            continue;
          case 'agent':
            await ask(changes, `m${++count}`, { [path]: change('agent') });
            continue;
          case 'user':
            files.set(path, change('user'));
            continue;
          case 'delete':
            files.set(path, undefined);
            continue;
          case 'restore':
          case 'restoreAll':
            await restore(
              changes,
              id,
              chosen.map((one) => one.path),
            );
            break;
          case 'redo':
            await changes.redo();
            break;
          case 'undo':
            await changes.undo();
            break;
          case 'keep':
            await changes.keep([path]);
            break;
          case 'reload':
            changes = await open(file);
            break;
        }
        const after = ['/a', '/b'].map((one) => files.text(one));
        if (what === 'restoreAll' && chosen.length > 0) {
          // what was shown is what came, and what was there can be had again
          expect(chosen.map((one) => files.text(one.path))).toEqual(
            chosen.map((one) => (one.after === 'absent' ? undefined : String(one.after))),
          );
          await changes.redo();
          expect(['/a', '/b'].map((one) => files.text(one))).toEqual(before);
          before.forEach((text, index) => {
            for (const line of mine(text).filter((one) => !mine(after[index]).includes(one))) {
              broughtBack.add(line);
            }
          });
          continue;
        }
        before.forEach((text, index) => {
          const now = mine(after[index]);
          const lost = mine(text).filter((line) => !now.includes(line));
          const isTakenBack = what === 'redo' || what === 'restore';
          expect(
            lost.filter((line) => !isTakenBack || !broughtBack.has(line)),
            `${what} lost lines`,
          ).toEqual([]);
        });
        after.forEach((text, index) => {
          for (const line of mine(text)) {
            if (!mine(before[index]).includes(line)) {
              broughtBack.add(line);
            }
          }
        });
      }
      expect(errors).toEqual([]);
    }),
    { numRuns: 200, examples: [[restoreBesideALineOfTheUser], [restoreOfWhatRedoBroughtBack]] },
  );
});

it('can have back every state that an undo, a redo or a restore replaced, in every later window', async () => {
  const step = fc.record({
    what: fc.constantFrom(
      'message',
      'agent',
      'agent',
      'user',
      'undo',
      'undoForced',
      'undoOne',
      'undoRun',
      'redo',
      'redoForced',
      'hunk',
      'keep',
      'restore',
      'restorePart',
      'reload',
    ),
    at: fc.nat(8),
    isReplacing: fc.boolean(),
    path: fc.constantFrom('/a', '/b'),
  });
  const one = { at: 0, isReplacing: true, path: '/a' } as const;
  const conflictThatIsResolved = [
    { ...one, what: 'agent' as const },
    { ...one, what: 'agent' as const, path: '/b' as const },
    { ...one, what: 'user' as const },
    { ...one, what: 'undo' as const },
    { ...one, what: 'undoForced' as const },
    { ...one, what: 'agent' as const, path: '/b' as const },
  ];
  const both = ['/a', '/b'] as const;
  let folder = 0;
  let checked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      files = new MemoryFiles();
      const file = join(root, `back${++folder}.jsonl`);
      let changes = await open(file);
      files.set('/a', 'one\ntwo\nthree\nfour\nfive\n');
      let count = 0;
      /** What was replaced, and the moment to go back to for it. */
      let replaced: { path: string; text: string | undefined; id: string }[] = [];
      for (const { what, at, isReplacing, path } of steps) {
        const before = both.map((each) => files.text(each));
        const lines = (files.text(path) ?? '').split(/(?<=\n)/).filter(Boolean);
        const change = (who: string) =>
          lines
            .toSpliced(Math.min(at, lines.length), isReplacing ? 1 : 0, `${who} ${++count}\n`)
            .join('');
        const known = [...changes.checkpoints.all.keys()];
        const id = known[at % Math.max(1, known.length)] ?? '';
        switch (what) {
          case 'message':
            await ask(changes, `m${++count}`);
            continue;
          case 'agent':
            await ask(changes, `m${++count}`, { [path]: change('agent') });
            continue;
          case 'user':
            files.set(path, change('user'));
            // from here on it is merged, which others tell of
            replaced = replaced.filter((each) => each.path !== path);
            continue;
          case 'undo':
            await changes.undo();
            break;
          case 'undoForced':
            await changes.undo({ isForced: true });
            break;
          case 'undoOne':
            await changes.undo({ paths: [path], isForced: true });
            break;
          case 'undoRun':
            await changes.undo({ run: changes.lastRun, isForced: true });
            break;
          case 'redo':
            await changes.redo();
            break;
          case 'redoForced':
            await changes.redo({ isForced: true });
            break;
          case 'hunk':
            await changes.undoHunk(path, (await changes.hunks(path))[0]?.id ?? '');
            break;
          case 'keep':
            await changes.keep([path]);
            break;
          case 'restore':
            await restore(changes, id);
            break;
          case 'restorePart':
            await restore(changes, id, [path]);
            break;
          case 'reload':
            changes = await open(file);
            break;
        }
        const latest = [...changes.checkpoints.all.keys()].at(-1) ?? '';
        for (const [index, each] of both.entries()) {
          if (files.text(each) !== before[index]) {
            replaced.push({ path: each, text: before[index], id: latest });
          }
        }
        for (const { path: each, text, id: moment } of replaced) {
          const plan = await changes.checkpoints.plan(moment);
          const planned = plan?.files.find((one) => one.path === each);
          const after = planned === undefined ? files.text(each) : textOf(planned.after);
          expect([what, each, after, planned?.conflict]).toEqual([what, each, text, undefined]);
          checked++;
        }
      }
      expect(errors).toEqual([]);
    }),
    { numRuns: 150, examples: [[conflictThatIsResolved]] },
  );
  expect(checked).toBeGreaterThan(100);
});

function textOf(content: Buffer | 'absent' | 'unread'): string | undefined {
  return content === 'absent' ? undefined : String(content);
}
