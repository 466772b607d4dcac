import { describe, expect, it } from 'vitest';
import { callWords } from '../../../../src/agent/policy/callWords.js';

describe('words of a call', () => {
  it.each([
    ['bash', { command: 'ls -la', timeout: 5 }, { kind: 'command', command: 'ls -la', timeout: 5 }],
    ['read', { path: 'a.md' }, { kind: 'read', path: 'a.md' }],
    ['read', { path: 'a.md', offset: 3 }, { kind: 'read', path: 'a.md', lines: { from: 3 } }],
    [
      'read',
      { path: 'a.md', offset: 3, limit: 2 },
      { kind: 'read', path: 'a.md', lines: { from: 3, to: 4 } },
    ],
    ['read', { path: 'a.md', limit: 2 }, { kind: 'read', path: 'a.md', lines: { from: 1, to: 2 } }],
    ['ls', {}, { kind: 'list', path: '.' }],
    ['powershell', { command: 'ls' }, { kind: 'command', command: 'ls' }],
    [
      'todo',
      { steps: [{ state: 'done' }, { state: 'open' }, 'x'] },
      { kind: 'steps', done: 1, of: 3 },
    ],
    ['present_plan', { title: 'T', steps: [] }, { kind: 'plan', title: 'T' }],
    [
      'grep',
      { pattern: 'x', path: 'src', glob: '*.ts' },
      { kind: 'grep', pattern: 'x', path: 'src', isPart: true },
    ],
    ['find', { pattern: '*.ts' }, { kind: 'find', pattern: '*.ts' }],
    ['ToolSearch', { query: 'send mail' }, { kind: 'tools', query: 'send mail' }],
  ])('says what %s is about', (tool, args, words) => {
    expect(callWords(tool, args, false)).toEqual(words);
  });

  it('names the values of a tool of a server, texts as they are', () => {
    const args = { message: 'two\nlines', count: 2, filter: { all: true } };
    expect(callWords('read', args, true)).toEqual({
      kind: 'values',
      values: [
        { name: 'message', text: 'two\nlines' },
        { name: 'count', text: '2' },
        { name: 'filter', text: '{\n  "all": true\n}' },
      ],
    });
  });

  it.each([
    ['read', { path: 'a.md', offset: '3' }],
    ['bash', { command: 'ls', env: { PATH: '/tmp' } }],
    ['find', { pattern: '*.ts', limit: 5 }],
    ['ls', { path: '.', limit: 5 }],
    ['read', { path: 'a.md', offset: Number.NaN }],
  ])('says that the arguments of %s say more', (tool, args) => {
    expect(callWords(tool, args, false)).toMatchObject({ isPart: true });
  });

  it('keeps a name in one line', () => {
    expect(callWords('read', { path: 'a\n\nb' }, false)).toEqual({
      kind: 'read',
      path: 'a\\n\\nb',
    });
  });

  it('tells texts from what they look like', () => {
    const args = { a: '2', b: 2, c: 'true', d: '', e: ' x', f: '{"g": 1}' };
    expect(callWords('x', args, true)).toMatchObject({
      values: [
        { name: 'a', text: '"2"' },
        { name: 'b', text: '2' },
        { name: 'c', text: '"true"' },
        { name: 'd', text: '""' },
        { name: 'e', text: '" x"' },
        { name: 'f', text: '"{\\"g\\": 1}"' },
      ],
    });
  });

  it('hides nothing: what turns or vanishes is escaped', () => {
    expect(callWords('bash', { command: 'echo \u202eabc\u200b' }, false)).toEqual({
      kind: 'command',
      command: 'echo \\u202eabc\\u200b',
    });
    expect(callWords('x', { 'na\u200bme': 'a\u2066b' }, true)).toEqual({
      kind: 'values',
      values: [{ name: 'na\\u200bme', text: 'a\\u2066b' }],
    });
  });

  it('shows up to 40 values and 20,000 characters', () => {
    const values = (count: number) => Object.fromEntries([...Array(count).keys()].entries());
    const text = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) });
    const isShown = [values(40), values(41), text(20_000), text(20_001)].map(
      (args) => callWords('x', args, true) !== undefined,
    );
    expect(isShown).toEqual([true, false, true, false]);
  });

  it.each([
    ['no object', 'read', 'README.md', false],
    ['a command that is none', 'bash', { command: ['ls'] }, false],
    ['an empty command', 'bash', { command: '' }, false],
    ['steps that are none', 'todo', { steps: 'x' }, false],
    ['a plan without a title', 'present_plan', { steps: [] }, false],
    ['a file without a path', 'read', { offset: 1 }, false],
    ['a search for nothing', 'grep', { path: 'a' }, false],
    ['a search for no tool', 'ToolSearch', { query: '' }, false],
    ['a tool of an extension', 'dice', { sides: 6 }, false],
    ['no arguments', 'list_all', {}, true],
    ['very long ones', 'write_file', { content: 'x'.repeat(30_000) }, true],
    [
      'very many',
      'set',
      Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`k${i}`, i])),
      true,
    ],
  ])('leaves %s as JSON', (_, tool, args, isOfServer) => {
    expect(callWords(tool, args, isOfServer)).toBeUndefined();
  });
});
