/** What the core does with files on Windows: two processes at once, open files, names and letters. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useScript } from '../helpers/script.js';
import { WindowsMachine, windowsPath } from '../helpers/windows/windowsMachine.js';

const script = useScript('test/fixtures/windows/files.ts');
let machine: WindowsMachine;
beforeEach(async () => {
  machine = await WindowsMachine.create();
});
afterEach(() => machine.dispose());

/** @param task of the script */
async function run(task: string, ...args: readonly string[]) {
  const { status, out, error } = await machine.node([windowsPath(script.path), task, ...args]);
  expect([status, error]).toEqual([0, '']);
  return JSON.parse(out);
}

const place = (name: string) => windowsPath(`${machine.folder}/${name}`);

it('two processes that lock one file lose nothing of each other, and leave nothing', async () => {
  const times = 25;
  const count = () => run('count', place('number'), String(times));
  await Promise.all([count(), count()]);
  expect(machine.read('work/number')).toBe(String(2 * times));
  expect(machine.list('work')).toEqual(['number']);
});

it('who holds a file open sees it whole, and keeps nobody from writing it', async () => {
  await machine.write('work/file', '{}');
  const [, seen] = await Promise.all([
    run('write', place('file'), '15'),
    run('hold', place('file')),
  ]);
  expect(seen.broken).toBe(0);
  expect(seen.whole).toBeGreaterThan(0);
  expect(JSON.parse(machine.read('work/file')).version).toBe(14);
  expect(machine.list('work')).toEqual(['file', 'file.over']);
});

it('each change of a file is told by an event', async () => {
  expect(await run('watch', place('watched.json'))).toEqual(['made', 'replaced', 'deleted']);
});

it('a path in other letters is one path, also of what is not there', async () => {
  await machine.write('work/Src/App.ts', 'x');
  const path = place('Src/App.ts');
  const written = place('sRC/aPP.TS').replace(/^Z/, 'z');
  expect(await run('letters', windowsPath(machine.folder).replace(/^Z/, 'z'), written)).toEqual({
    now: path,
    later: path,
    missing: `${path}\\none`,
    onDisk: `${path}\\none`,
    located: path,
  });
});

it('files may have the names of devices, end with a dot or a blank, and lie deep', async () => {
  const names = ['con', 'nul.json', 'dot.', 'blank '];
  expect((await run('names', place('names'), ...names)).sort()).toEqual([...names].sort());
  const deep = place(Array(4).fill('d'.repeat(90)).join('/'));
  expect(deep.length).toBeGreaterThan(260);
  expect(await run('names', deep, 'file')).toEqual(['file']);
});
