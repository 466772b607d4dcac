import { describe, expect, it } from 'vitest';
import { normalArgv } from '../../../../src/mcp/otherClients/normalArgv.js';

const links: Readonly<Record<string, string>> = {
  '/c/.bin/mcp-server-files': '/c/server-files/dist/index.js',
};
const place = {
  workingDirectory: async () => '/work',
  realPath: async (path: string) => links[path] ?? path,
};

function form(...argv: readonly string[]): Promise<string> {
  return normalArgv(argv, place);
}

describe('two ways to start one program', () => {
  it.each([
    ['npx', ['npx', '-y', '@scope/files', '/tmp'], ['npm', 'exec', '@scope/files', '/tmp']],
    ['npx and what npm calls itself', ['npx', '-y', 'files', '--all'], ['npm exec files --all']],
    ['npx.cmd', ['npx', 'files'], ['C:\\Program Files\\nodejs\\npx.cmd', 'files']],
    [
      'a link in .bin and the file that it leads to',
      ['node', '/c/.bin/mcp-server-files', '/tmp'],
      ['/usr/bin/node', '/c/server-files/dist/index.js', '/tmp'],
    ],
    ['a relative script', ['node', 'server.js'], ['/opt/node/bin/node', '/work/server.js']],
    [
      'options of Node.js',
      ['node', '--no-warnings', '-r', './hook.js', 'server.js', '-x'],
      ['node', 'server.js', '-x'],
    ],
    ['a program by its path', ['uvx', 'files'], ['/home/user/.local/bin/uvx', 'files']],
    ['one text, as some systems list it', ['node', '/a.js', '--x', '1'], ['node /a.js --x 1']],
  ])('meet: %s', async (_what, a, b) => {
    expect(await form(...a)).toBe(await form(...b));
    expect(await form(...a)).not.toBe('');
  });

  it.each([
    ['other arguments', ['node', 'a.js', '/tmp'], ['node', 'a.js', '/home']],
    ['another file', ['node', 'a.js'], ['node', 'b.js']],
    ['another package', ['npx', 'files'], ['npx', 'file']],
    ['another version', ['npx', 'files@1'], ['npx', 'files@2']],
    ['another program', ['uvx', 'files'], ['pipx', 'files']],
    ['no script', ['node'], ['node', 'a.js']],
  ])('do not meet: %s', async (_what, a, b) => {
    expect(await form(...a)).not.toBe(await form(...b));
  });

  it('say nothing where nothing is known', async () => {
    expect(await form()).toBe('');
    expect(await form('')).toBe('');
  });

  it('cost no more for a process with endless arguments', async () => {
    const endless = Array.from({ length: 100_000 }, () => 'x'.repeat(20));
    expect((await form('node', ...endless)).length).toBeLessThan(6000);
  });
});

it('asks where a process works only for a script that stands there, and of links only for a script', async () => {
  const asked: string[] = [];
  const places = {
    workingDirectory: async () => {
      asked.push('cwd');
      return '/work';
    },
    realPath: async (path: string) => {
      asked.push(path);
      return path;
    },
  };
  for (const argv of [['uvx', 'files'], ['npx', 'files'], ['node'], ['node', '/a.js'], ['bash']]) {
    await normalArgv(argv, places);
  }
  expect(asked).toEqual(['/a.js']);
  await normalArgv(['node', 'b.js'], places);
  expect(asked).toEqual(['/a.js', 'cwd', '/work/b.js']);
});
