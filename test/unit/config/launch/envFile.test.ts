import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseEnvFile, readEnvFile } from '../../../../src/config/launch/envFile.js';

describe('parseEnvFile', () => {
  it.each([
    ['A=1\nB=2', { A: '1', B: '2' }],
    ['\uFEFFA=1\r\nB = 2 \r\n', { A: '1', B: '2' }],
    [
      '# comment\n#Z=1\n# export Y=1\n\nexport A=1\n  B=2 # trailing\nC=a#b',
      { A: '1', B: '2', C: 'a#b' },
    ],
    [
      'A="a b"\nB=\'a "b"\'\nC="a\\nb\\"c\\\\"\nD=""',
      { A: 'a b', B: 'a "b"', C: 'a\nb"c\\', D: '' },
    ],
    ['A="\\n\\r\\t\\x"', { A: '\n\r\t\\x' }],
    ['A="not closed\nB=\'', { A: '"not closed', B: "'" }],
    ['A=x=y\nB=', { A: 'x=y', B: '' }],
    ['no assignment\n=x\n1A=x\nA B=x', {}],
    ['A=1\nA=2', { A: '2' }],
    // nothing of the user is filled in, and nothing is run
    ['A=${HOME}\nB=$(id)\nC=!id', { A: '${HOME}', B: '$(id)', C: '!id' }],
  ])('reads %j', (text, expected) => {
    const { values, names } = parseEnvFile(text);
    expect(values).toEqual(expected);
    expect(names).toEqual(Object.keys(expected));
  });

  it('takes the name of a member of Object for a name like any other', () => {
    const { values } = parseEnvFile('__proto__=x\nconstructor=y');
    expect(Object.entries(values)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype);
  });

  it('tells files apart by every character', () => {
    expect(parseEnvFile('A=1').digest).not.toBe(parseEnvFile('A=2').digest);
  });

  it('refuses more variables than anybody reviews', () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, at) => `V${at}=x`).join('\n');
    expect(parseEnvFile(lines(200)).names).toHaveLength(200);
    expect(() => parseEnvFile(lines(201))).toThrow('201, at most 200');
  });
});

describe('readEnvFile', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pi-mcp-env-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it.each([
    ['a file that is not there', async () => undefined],
    ['a folder', (path: string) => mkdir(path)],
    ['a file without end', (path: string) => writeFile(path, 'A=1\n'.repeat(20_000))],
  ])('names the path of %s', async (_what, make) => {
    const path = join(folder, 'it.env');
    await make(path);
    await expect(readEnvFile(path)).rejects.toMatchObject({
      code: 'env_file',
      message: expect.stringContaining(path),
    });
  });
});
