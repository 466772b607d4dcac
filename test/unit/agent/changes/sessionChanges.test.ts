import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changesFolder } from '../../../../src/agent/changes/changeLog.js';
import { pruneFolders } from '../../../../src/agent/changes/prune.js';
import { SessionChanges } from '../../../../src/agent/changes/sessionChanges.js';
import { MemoryFiles } from '../../../helpers/fakes/memoryFiles.js';

let root: string;
let files: MemoryFiles;
let calls = 0;
const errors: unknown[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-changes-'));
  files = new MemoryFiles();
  errors.length = 0;
});
afterEach(() => rm(root, { recursive: true, force: true }));

const conversation = () => join(root, 'one.jsonl');

async function open(file = conversation()): Promise<SessionChanges> {
  const changes = new SessionChanges({ files, onError: (error) => errors.push(error) });
  await changes.open(file);
  return changes;
}

/** A call of the agent. `undefined` text: it is killed while it writes. */
async function agentWrites(changes: SessionChanges, path: string, text: string): Promise<string> {
  const call = `call-${++calls}`;
  const journal = changes.journalOf(call);
  await journal.begin(path, await files.read(path));
  files.set(path, text);
  await journal.end(await files.read(path));
  return call;
}

function paths(changes: SessionChanges): readonly string[] {
  return [...(changes.state?.files.keys() ?? [])];
}

const results = (outcomes: readonly { readonly result: string }[]) =>
  outcomes.map(({ result }) => result);

it('undoes to the byte what nobody changed since, and redoes it', async () => {
  const changes = await open();
  const before = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x0d, 0x0a, 0xff, 0x00]);
  files.set('/a', before);
  await agentWrites(changes, '/a', 'new\n');
  await agentWrites(changes, '/a', 'newer\n');
  await agentWrites(changes, '/made', 'made\n');
  expect(results(await changes.undo())).toEqual(['undone', 'undone']);
  expect(await files.read('/a')).toEqual(before);
  expect(files.text('/made')).toBeUndefined();
  expect(paths(changes)).toEqual([]);
  expect(results(await changes.redo())).toEqual(['undone', 'undone']);
  expect([files.text('/a'), files.text('/made')]).toEqual(['newer\n', 'made\n']);
  expect(paths(changes)).toEqual(['/a', '/made']);
});

it('keeps what the user wrote elsewhere in the file, before and after the agent', async () => {
  const changes = await open();
  files.set('/a', '1\n2\n3\n4\n5\n6\n');
  await agentWrites(changes, '/a', '1\nTWO\n3\n4\n5\n6\n');
  files.set('/a', '1\nTWO\n3\nmine\n4\n5\n6\n');
  await agentWrites(changes, '/a', '1\nTWO\n3\nmine\n4\n5\nSIX\n');
  files.set('/a', 'top\n1\nTWO\n3\nmine\n4\n5\nSIX\n');
  expect(results(await changes.undo())).toEqual(['merged']);
  expect(files.text('/a')).toBe('top\n1\n2\n3\nmine\n4\n5\n6\n');
});

it('leaves a file alone in which the user changed the same lines, until the user agrees', async () => {
  const changes = await open();
  files.set('/a', '1\n2\n3\n');
  await agentWrites(changes, '/a', '1\nTWO\n3\n');
  files.set('/a', '1\nTWO and mine\n3\n');
  expect(results(await changes.undo())).toEqual(['conflict']);
  expect(files.text('/a')).toBe('1\nTWO and mine\n3\n');
  expect((await changes.review())[0]?.isMixed).toBe(true);
  expect(String((await changes.forcedUndo('/a')).after)).toBe('1\n2\n3\n');
  expect(results(await changes.undo({ isForced: true }))).toEqual(['undone']);
  expect(files.text('/a')).toBe('1\n2\n3\n');
  await changes.redo();
  expect(files.text('/a')).toBe('1\nTWO and mine\n3\n');
});

it('brings everything back after an undo that met changes of the user and was resolved', async () => {
  const changes = await open();
  for (const path of ['/a', '/b', '/c']) {
    files.set(path, '1\n2\n3\n');
    await agentWrites(changes, path, '1\nTWO\n3\n');
  }
  files.set('/b', '1\nTWO and mine\n3\n');
  files.set('/c', '1\nmine\n3\n');
  expect(results(await changes.undo())).toEqual(['undone', 'conflict', 'conflict']);
  await changes.undo({ paths: ['/b'], isForced: true });
  await changes.undo({ paths: ['/c'], isForced: true });
  const next = await open();
  expect(results(await next.redo())).toEqual(['undone', 'undone', 'undone']);
  expect(['/a', '/b', '/c'].map((path) => files.text(path))).toEqual([
    '1\nTWO\n3\n',
    '1\nTWO and mine\n3\n',
    '1\nmine\n3\n',
  ]);
  expect(paths(await open())).toEqual(['/a', '/b', '/c']);
});

it('brings back to before the first of two undos of one file', async () => {
  const changes = await open();
  files.set('/a', '1\n2\n3\n4\n5\n6\n7\n');
  await agentWrites(changes, '/a', '1\nTWO\n3\n4\n5\nSIX\n7\n');
  const [two] = await changes.hunks('/a');
  await changes.undoHunk('/a', two?.id ?? '');
  const [six] = await changes.hunks('/a');
  await changes.undoHunk('/a', six?.id ?? '');
  expect(files.text('/a')).toBe('1\n2\n3\n4\n5\n6\n7\n');
  await changes.redo();
  expect(files.text('/a')).toBe('1\nTWO\n3\n4\n5\nSIX\n7\n');
  expect(await changes.hunks('/a')).toHaveLength(2);
});

it('never takes what the user saved during a failed undo or restore for its own', async () => {
  const changes = await open();
  files.set('/a', 'old\n');
  changes.checkpoints.mark('m1');
  await agentWrites(changes, '/a', 'new\n');
  files.beforeWrite = () => files.set('/a', 'new\nmine\n');
  const plan = await changes.checkpoints.plan('m1');
  await changes.checkpoints.restore('m1', { stamp: plan?.stamp ?? '', paths: ['/a'] });
  files.beforeWrite = () => undefined;
  await changes.redo({ isForced: true });
  expect(files.text('/a')).toBe('new\nmine\n');
});

it('takes what an editor makes of what it saves for what it saved', async () => {
  const changes = await open();
  files.set('/a', 'old\n');
  await agentWrites(changes, '/a', 'new\n');
  const write = files.write.bind(files);
  files.write = async (path, ...rest) => {
    await write(path, ...rest);
    files.set(path, `${files.text(path)}formatted\n`);
  };
  expect(results(await changes.undo())).toEqual(['undone']);
  expect([files.text('/a'), changes.state?.undone.length]).toEqual(['old\nformatted\n', 1]);
  files.write = write;
  await changes.redo();
  expect(files.text('/a')).toBe('new\n');
});

it('takes what it wrote for what is there while nobody can read it', async () => {
  const changes = await open();
  files.set('/a', 'old\n');
  await agentWrites(changes, '/a', 'new\n');
  const read = files.read.bind(files);
  const write = files.write.bind(files);
  files.write = async (...given) => {
    await write(...given);
    files.read = () => {
      files.read = read;
      return Promise.resolve('unread');
    };
  };
  expect(results(await changes.undo())).toEqual(['undone']);
  expect(results(await changes.redo())).toEqual(['undone']);
  expect(files.text('/a')).toBe('new\n');
});

it('forgets calls whose changes nobody recorded with the last file, not before', async () => {
  const changes = await open();
  await agentWrites(changes, '/a', 'a\n');
  await agentWrites(changes, '/b', 'b\n');
  changes.noteOther('command');
  await changes.undo({ paths: ['/a'] });
  expect([paths(changes), changes.state?.others]).toEqual([['/b'], { command: 1, server: 0 }]);
  await changes.undo({ paths: ['/b'] });
  expect([paths(changes), changes.state?.others]).toEqual([[], { command: 0, server: 0 }]);
});

it('asks before it deletes a file that the agent made and the user went on with', async () => {
  const changes = await open();
  await agentWrites(changes, '/made', 'made\n');
  files.set('/made', 'made\nmine\n');
  expect(results(await changes.undo())).toEqual(['conflict']);
  expect(files.text('/made')).toBe('made\nmine\n');
});

it('asks before it brings back what the user deleted, and has nothing to do for a made file', async () => {
  const changes = await open();
  files.set('/a', 'old\n');
  await agentWrites(changes, '/a', 'new\n');
  await agentWrites(changes, '/made', 'made\n');
  files.set('/a', undefined);
  files.set('/made', undefined);
  const outcomes = await changes.undo();
  expect(outcomes).toMatchObject([
    { path: '/a', result: 'conflict', isGone: true },
    { path: '/made', result: 'nothing' },
  ]);
  expect(paths(changes)).toEqual(['/a']);
  expect(files.text('/a')).toBeUndefined();
});

it('follows a file that the user renames', async () => {
  const changes = await open();
  files.set('/a', 'old\n');
  await agentWrites(changes, '/a', 'new\n');
  files.set('/b', 'new\n');
  files.set('/a', undefined);
  changes.moved('/a', '/b');
  expect(results(await changes.undo())).toEqual(['undone']);
  expect(files.text('/b')).toBe('old\n');
  expect(files.text('/a')).toBeUndefined();
});

it('undoes one run alone, under what came after it', async () => {
  const changes = await open();
  files.set('/a', '1\n2\n3\n4\n5\n');
  changes.startRun();
  await agentWrites(changes, '/a', 'ONE\n2\n3\n4\n5\n');
  await agentWrites(changes, '/made', 'made\n');
  const first = changes.lastRun;
  changes.startRun();
  await agentWrites(changes, '/a', 'ONE\n2\n3\n4\nFIVE\n');
  await changes.undo({ run: first });
  expect(files.text('/a')).toBe('1\n2\n3\n4\nFIVE\n');
  expect(files.text('/made')).toBeUndefined();
  expect(paths(changes)).toEqual(['/a']);
  await changes.undo();
  expect(files.text('/a')).toBe('1\n2\n3\n4\n5\n');
});

it('keeps and undoes single parts of a file', async () => {
  const changes = await open();
  const before = '1\n2\n3\n4\n5\n6\n7\n';
  files.set('/a', before);
  await agentWrites(changes, '/a', '1\nTWO\n3\n4\n5\nSIX\n7\n');
  const [two, six] = await changes.hunks('/a');
  expect(await changes.keepHunk('/a', two?.id ?? '')).toBe(true);
  expect(files.text('/a')).toContain('TWO');
  // its id was of another text in between
  expect(six?.isMixed).toBe(false);
  const [rest] = await changes.hunks('/a');
  expect(rest?.now).toEqual(['SIX\n']);
  expect(await changes.undoHunk('/a', rest?.id ?? '')).toBe(true);
  expect(files.text('/a')).toBe('1\nTWO\n3\n4\n5\n6\n7\n');
  expect(paths(changes)).toEqual([]);
  await changes.redo();
  expect(files.text('/a')).toBe('1\nTWO\n3\n4\n5\nSIX\n7\n');
  expect((await changes.hunks('/a')).map(({ now }) => now)).toEqual([['SIX\n']]);
});

it('deletes a file that the agent made with its only part, and says why it cannot', async () => {
  const changes = await open();
  await agentWrites(changes, '/made', 'made\n');
  const [part] = await changes.hunks('/made');
  files.locked.add('/made');
  const undone = () => changes.undoHunk('/made', part?.id ?? '');
  await expect(undone()).rejects.toThrow('/made is read-only.');
  files.locked.clear();
  expect([await undone(), files.text('/made')]).toEqual([true, undefined]);
});

it('tells the parts in which the user wrote from those of the agent alone', async () => {
  const changes = await open();
  files.set('/a', '1\n2\n3\n4\n5\n6\n7\n');
  await agentWrites(changes, '/a', '1\nTWO\n3\n4\n5\nSIX\n7\n');
  files.set('/a', '1\nTWO\n3\n4\n5\nSIX and mine\n7\nmine\n');
  const hunks = await changes.hunks('/a');
  expect(hunks.map(({ now, isMixed }) => [now[0], isMixed])).toEqual([
    ['TWO\n', false],
    ['SIX and mine\n', true],
  ]);
  expect(await changes.undoHunk('/a', 'of another text')).toBe(false);
});

it('takes what another conversation wrote for what it is: not its own', async () => {
  const one = await open();
  const other = await open(join(root, 'other.jsonl'));
  files.set('/a', '1\n2\n3\n');
  await agentWrites(one, '/a', 'ONE\n2\n3\n');
  await agentWrites(other, '/a', 'ONE\n2\nTHREE\n');
  await one.undo();
  expect(files.text('/a')).toBe('1\n2\nTHREE\n');
  await other.undo();
  expect(files.text('/a')).toBe('1\n2\n3\n');
});

it('goes on in the next window, with runs, redo and calls', async () => {
  const first = await open();
  files.set('/a', 'old\n');
  first.startRun();
  const call = await agentWrites(first, '/a', 'new\n');
  const made = await agentWrites(first, '/made', 'made\n');
  await first.keep(['/made']);
  await first.undo();
  const second = await open();
  expect(second.lastRun).toBe(1);
  expect(await second.textsOf(call)).toEqual({ path: '/a', before: 'old\n', after: 'new\n' });
  expect(await second.textsOf(made)).toEqual({ path: '/made', before: undefined, after: 'made\n' });
  await second.redo();
  expect(files.text('/a')).toBe('new\n');
  expect(paths(await open())).toEqual(['/a']);
});

it('asks about a file that a window was writing when it was killed', async () => {
  const killed = await open();
  files.set('/a', 'old\n');
  files.set('/untouched', 'old\n');
  await killed.journalOf('x').begin('/a', await files.read('/a'));
  await killed.journalOf('y').begin('/untouched', await files.read('/untouched'));
  files.set('/a', 'ne');
  const log = join(changesFolder(conversation()), 'changes.jsonl');
  await appendFile(log, '{"type":"end","call":"x","af');
  const next = await open();
  expect(paths(next)).toEqual(['/a']);
  expect(results(await next.undo())).toEqual(['conflict']);
  expect(results(await next.undo({ isForced: true }))).toEqual(['undone']);
  expect(files.text('/a')).toBe('old\n');
  // what was added behind the broken line is read
  expect(paths(await open())).toEqual([]);
});

it('undoes to the byte what is large, and compares it as a whole', async () => {
  const changes = await open();
  const large = `${'line\n'.repeat(1_200_000)}end\n`;
  files.set('/a', large);
  await agentWrites(changes, '/a', large.replace('end', 'END'));
  expect(results(await changes.undo())).toEqual(['undone']);
  expect(files.text('/a')).toBe(large);
  await changes.redo();
  files.set('/a', `mine\n${files.text('/a')}`);
  expect(results(await changes.undo())).toEqual(['conflict']);
});

it('lets nothing be written over what is too large to be kept', async () => {
  const changes = await open();
  const large = 'x'.repeat(65 * 1024 * 1024);
  files.set('/a', large);
  await expect(agentWrites(changes, '/a', 'new\n')).rejects.toThrow('cannot be kept');
  expect(files.text('/a')).toBe(large);
  expect(paths(changes)).toEqual([]);
  await agentWrites(changes, '/b', 'new\n');
  expect(paths(await open())).toEqual(['/b']);
});

it('lets nothing be written over what the disk has no room for', async () => {
  const changes = await open();
  files.set('/a', 'old\n');
  // a file in its place cannot be written into
  await writeFile(changesFolder(conversation()), '');
  await expect(agentWrites(changes, '/a', 'new\n')).rejects.toThrow('cannot be kept');
  expect([files.text('/a'), errors.length]).toEqual(['old\n', 1]);
});

it('believes no content that is not what its name says', async () => {
  const changes = await open();
  files.set('/a', 'old\n');
  await agentWrites(changes, '/a', 'new\n');
  const blobs = join(changesFolder(conversation()), 'blobs');
  for (const name of await readdir(blobs)) {
    await writeFile(join(blobs, name), 'planted\n');
  }
  expect(results(await (await open()).undo())).toEqual(['impossible']);
  expect(files.text('/a')).toBe('new\n');
});

it('reads and writes through no link that was prepared at its place', async () => {
  const other = join(root, 'other.jsonl');
  await agentWrites(await open(other), '/theirs', 'new\n');
  const log = join(changesFolder(other), 'changes.jsonl');
  const text = await readFile(log, 'utf8');
  await symlink(changesFolder(other), changesFolder(conversation()));
  const changes = await open();
  files.set('/a', 'old\n');
  await expect(agentWrites(changes, '/a', 'new\n')).rejects.toThrow('cannot be kept');
  expect(await readFile(log, 'utf8')).toBe(text);
  expect(errors.length).toBeGreaterThan(0);
  expect([files.text('/a'), paths(changes)]).toEqual(['old\n', []]);
});

it('writes into no file that a prepared link leads to', async () => {
  const target = join(root, 'target');
  await writeFile(target, 'of the user');
  const folder = changesFolder(conversation());
  await mkdir(folder);
  await symlink(target, join(folder, 'changes.jsonl'));
  const changes = await open();
  files.set('/a', 'old\n');
  await expect(agentWrites(changes, '/a', 'new\n')).rejects.toThrow('cannot be kept');
  expect(await readFile(target, 'utf8')).toBe('of the user');
});

it('says of each file why it was left, and undoes the others', async () => {
  const changes = await open();
  files.set('/locked', 'old\n');
  files.set('/a', 'old\n');
  await agentWrites(changes, '/locked', 'new\n');
  await agentWrites(changes, '/a', 'new\n');
  files.locked.add('/locked');
  expect(await changes.undo()).toEqual([
    { path: '/locked', result: 'failed', reason: '/locked is read-only.' },
    { path: '/a', result: 'undone' },
  ]);
  expect([files.text('/locked'), files.text('/a')]).toEqual(['new\n', 'old\n']);
  expect(paths(changes)).toEqual(['/locked']);
});

it('does not write over what the user saved while it was being undone', async () => {
  const changes = await open();
  files.set('/a', 'old\n');
  await agentWrites(changes, '/a', 'new\n');
  files.beforeWrite = () => files.set('/a', 'new\nmine\n');
  expect(results(await changes.undo())).toEqual(['failed']);
  expect(files.text('/a')).toBe('new\nmine\n');
  expect(paths(changes)).toEqual(['/a']);
  files.beforeWrite = () => undefined;
  expect(results(await changes.undo())).toEqual(['merged']);
  expect(files.text('/a')).toBe('old\nmine\n');
});

it('keeps no changes without a conversation, nor old ones, nor more than the total', async () => {
  for (const name of ['gone', 'old', 'open', 'new']) {
    const changes = await open(join(root, `${name}.jsonl`));
    await agentWrites(changes, '/a', `${name} ${'x'.repeat(1000)}\n`);
    const time = new Date(2026, 1, name === 'new' ? 2 : 1);
    for (const file of await readdir(join(root, `${name}.changes`), { recursive: true })) {
      await utimes(join(root, `${name}.changes`, file), time, time);
    }
    if (name !== 'gone') {
      await writeFile(join(root, `${name}.jsonl`), '');
    }
  }
  const left = async () => (await readdir(root)).filter((name) => name.endsWith('.changes')).sort();
  const kept = new Set([join(root, 'open.jsonl')]);
  const now = new Date(2026, 1, 3).getTime();
  await pruneFolders([root], kept, '.changes', { now });
  expect(await left()).toEqual(['new.changes', 'old.changes', 'open.changes']);
  await pruneFolders([root], kept, '.changes', { now, maxBytes: 6000 });
  expect(await left()).toEqual(['new.changes', 'open.changes']);
  await pruneFolders([root], kept, '.changes', { now: new Date(2026, 2, 4, 12).getTime() });
  expect(await left()).toEqual(['open.changes']);
});

it('keeps no more than the total while the oldest conversation is open', async () => {
  let total = 0;
  for (const [index, name] of ['open', 'old', 'new'].entries()) {
    const changes = await open(join(root, `${name}.jsonl`));
    await agentWrites(changes, '/a', `${name} ${'x'.repeat(1000)}\n`);
    await writeFile(join(root, `${name}.jsonl`), '');
    const time = new Date(2026, 1, index + 1);
    const folder = join(root, `${name}.changes`);
    for (const file of await readdir(folder, { recursive: true })) {
      await utimes(join(folder, file), time, time);
      const stats = await stat(join(folder, file));
      total += stats.isFile() ? stats.size : 0;
    }
  }
  const kept = new Set([join(root, 'open.jsonl')]);
  const now = new Date(2026, 1, 4).getTime();
  const prune = async (maxBytes: number) => {
    await pruneFolders([root], kept, '.changes', { now, maxBytes });
    return (await readdir(root)).filter((name) => name.endsWith('.changes')).sort();
  };
  expect(await prune(total)).toEqual(['new.changes', 'old.changes', 'open.changes']);
  expect(await prune(total - 1)).toEqual(['new.changes', 'open.changes']);
});

it('never loses a line of the user, whatever is done in whatever order', async () => {
  const step = fc.record({
    what: fc.constantFrom(
      'agent',
      'agent',
      'user',
      'user',
      'delete',
      'undo',
      'undoRun',
      'keep',
      'redo',
      'keepHunk',
      'undoHunk',
      'reload',
    ),
    at: fc.nat(8),
    isReplacing: fc.boolean(),
    path: fc.constantFrom('/a', '/b'),
  });
  const one = { at: 0, isReplacing: false, path: '/a' } as const;
  const redoBesideALineOfTheUser = [
    { ...one, what: 'user' as const },
    { ...one, what: 'agent' as const, isReplacing: true },
    { ...one, what: 'undo' as const },
    { ...one, what: 'user' as const, at: 5 },
    { ...one, what: 'redo' as const },
  ];
  let folder = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      files = new MemoryFiles();
      const file = join(root, `${++folder}.jsonl`);
      let changes = await open(file);
      files.set('/a', 'one\ntwo\nthree\nfour\nfive\n');
      let count = 0;
      /** Lines that the agent had replaced and that an undo brought back: a redo takes them away. */
      const broughtBack = new Set<string>();
      const mine = (path: string): readonly string[] =>
        (files.text(path) ?? '').match(/^user .*$/gm) ?? [];
      for (const { what, at, isReplacing, path } of steps) {
        const before = { '/a': mine('/a'), '/b': mine('/b') };
        const lines = (files.text(path) ?? '').split(/(?<=\n)/).filter(Boolean);
        const place = Math.min(at, lines.length);
        const change = (who: string) =>
          lines.toSpliced(place, isReplacing ? 1 : 0, `${who} ${++count}\n`).join('');
        const [hunk] = await changes.hunks(path);
        switch (what) {
          case 'agent':
            changes.startRun();
            await agentWrites(changes, path, change('agent'));
            continue;
          case 'user':
            files.set(path, change('user'));
            continue;
          case 'delete':
            files.set(path, undefined);
            continue;
          case 'undo':
            await changes.undo();
            break;
          case 'undoRun':
            await changes.undo({ run: changes.lastRun });
            break;
          case 'keep':
            await changes.keep([path]);
            break;
          case 'redo':
            await changes.redo();
            break;
          case 'keepHunk':
            await changes.keepHunk(path, hunk?.id ?? '');
            break;
          case 'undoHunk':
            // of a mixed part the user is asked
            await changes.undoHunk(path, hunk && !hunk.isMixed ? hunk.id : '');
            break;
          case 'reload':
            changes = await open(file);
            break;
        }
        for (const one of ['/a', '/b'] as const) {
          const now = mine(one);
          const lost = before[one].filter(
            (line) => !now.includes(line) && !(what === 'redo' && broughtBack.has(line)),
          );
          expect(lost, `${what} lost lines of ${one}`).toEqual([]);
          for (const line of now.filter((each) => !before[one].includes(each))) {
            broughtBack.add(line);
          }
        }
      }
      expect(errors).toEqual([]);
    }),
    { numRuns: 150, examples: [[redoBesideALineOfTheUser]] },
  );
});
