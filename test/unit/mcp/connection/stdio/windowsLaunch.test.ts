/** How Windows gets the arguments of a server that is a batch file, as `npx` and everything else from npm is. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'windows-launch-'));
  for (const name of ['tool.exe', 'tool.cmd', 'node_modules/.bin/tool.cmd']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), '');
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Spawned {
  readonly command: string;
  readonly args: readonly string[];
  readonly options: { readonly windowsVerbatimArguments?: boolean };
}

/** What the spawner of the stdio transport hands to Node on Windows; it decides when it is loaded. */
function spawnedOnWindows(name: string, args: readonly string[]): Spawned {
  const program = `
    Object.defineProperty(process, 'platform', { value: 'win32' });
    const { _parse } = require('cross-spawn');
    const [command, ...args] = JSON.parse(process.argv[1]);
    console.log(JSON.stringify(_parse(command, args, {})));
  `;
  const text = execFileSync(
    process.execPath,
    ['-e', program, JSON.stringify([join(folder, name), ...args])],
    { encoding: 'utf8', env: { PATHEXT: '.COM;.EXE;.BAT;.CMD', comspec: 'C:\\cmd.exe' } },
  );
  return JSON.parse(text);
}

/** One reading by cmd.exe: a caret takes the meaning from what follows, unless it stands between quotes. */
function readByCmd(line: string): string {
  let isQuoted = false;
  let read = '';
  for (let index = 0; index < line.length; index++) {
    if (line[index] === '^' && !isQuoted) {
      index++;
    } else {
      isQuoted = line[index] === '"' ? !isQuoted : isQuoted;
      // it would end the command, redirect it or expand a variable here
      expect(isQuoted || !/[&|<>%!]/.test(line[index] ?? '')).toBe(true);
    }
    read += line[index] ?? '';
  }
  return read;
}

/** As the C runtime splits a command line: `2n` backslashes before a quote are `n`, one more makes it literal. */
function argumentsOf(line: string): readonly string[] {
  const found: string[] = [];
  for (const [, text = ''] of line.matchAll(/"((?:\\.|[^"\\])*)"/g)) {
    const unescaped = text.replace(/(\\+)("|$)/g, (_all, slashes: string, end: string) => {
      return '\\'.repeat(Math.floor(slashes.length / 2)) + end;
    });
    found.push(unescaped);
  }
  return found;
}

const nasty = [
  'plain',
  '',
  'with space',
  'a & b | c > d < e',
  '%PATH%',
  '!delayed!',
  'say "hello"',
  'C:\\ends\\with\\',
  'quote\\"and slash',
  '^caret^',
  '(brackets) [and] {braces}',
  '{"json": "a & \\"b\\""}',
];

it('starts programs as they are', () => {
  const { command, args } = spawnedOnWindows('tool.exe', nasty);
  expect([command, args]).toEqual([join(folder, 'tool.exe'), nasty]);
});

it.each([
  ['tool.cmd', 1],
  // the file hands them on, so that they are read twice
  ['node_modules/.bin/tool.cmd', 2],
])(
  'starts batch files through cmd.exe, with every argument as it was written: %s',
  (name, readings) => {
    const { command, args, options } = spawnedOnWindows(name, nasty);
    expect([command, args.slice(0, 3), options.windowsVerbatimArguments]).toEqual([
      'C:\\cmd.exe',
      ['/d', '/s', '/c'],
      true,
    ]);
    const [, line = ''] = /^"(.*)"$/.exec(args[3] ?? '') ?? [];
    const prefix = join(folder, name);
    let read = line.slice(line.indexOf(' ') + 1);
    for (let reading = 0; reading < readings; reading++) {
      read = readByCmd(read);
    }
    expect(line.replaceAll('^', '').startsWith(prefix)).toBe(true);
    expect(argumentsOf(read)).toEqual(nasty);
  },
);
