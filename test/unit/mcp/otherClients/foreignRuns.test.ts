import { describe, expect, it } from 'vitest';
import { findForeignRuns, startingClient } from '../../../../src/mcp/otherClients/foreignRuns.js';
import type { ProgramRun } from '../../../../src/platform/process/programRuns.js';

const hostPid = 100;

function run(pid: number, parent: number, text: string, isOurs = false): ProgramRun {
  return { pid, parent, start: String(pid), argv: text.split(' '), isOurs };
}

const above = [
  run(1, 0, 'init'),
  run(hostPid, 1, 'node bootstrap --type=extensionHost'),
  run(200, 1, 'claude'),
  run(300, 1, 'bash'),
];

async function find(...runs: readonly ProgramRun[]) {
  const found = await findForeignRuns({
    runs: [...above, ...runs],
    servers: new Map([['node files.js', ['files']]]),
    hostPid,
    formOf: async ({ argv }) => argv.join(' '),
  });
  return found.get('files') ?? [];
}

describe('a process that is what a server of ours is', () => {
  it('is a copy below another client', async () => {
    expect(await find(run(9, 200, 'node files.js'))).toEqual([
      { client: 'claude-code', first: { pid: 9, start: '9' } },
    ]);
    expect(await find(run(9, hostPid, 'node files.js'))).toEqual([
      { client: 'vscode', first: { pid: 9, start: '9' } },
    ]);
  });

  it('is found however far below', async () => {
    expect(await find(run(8, 200, 'sh -c x'), run(9, 8, 'node files.js'))).toHaveLength(1);
  });

  it('is one copy with the programs around it', async () => {
    const both = [run(8, 200, 'node files.js'), run(9, 8, 'node files.js')];
    expect(await find(...both)).toEqual([{ client: 'claude-code', first: { pid: 8, start: '8' } }]);
  });

  it.each([
    ['is ours', run(9, hostPid, 'node files.js', true)],
    ['was started in a terminal', run(9, 300, 'node files.js')],
    ['does something else', run(9, 200, 'node other.js')],
    ['is the client itself', run(9, 1, 'claude node files.js')],
  ])('is none where it %s', async (_what, one) => {
    expect(await find(one)).toEqual([]);
  });

  it('is looked for once in a table that leads in a circle', async () => {
    expect(await find(run(8, 9, 'x'), run(9, 8, 'node files.js'))).toEqual([]);
  });
});

describe('a client', () => {
  it.each([
    ['claude', 'claude-code'],
    ['/usr/bin/node /usr/lib/node_modules/@anthropic-ai/claude-code/cli.js', 'claude-code'],
    ['node /usr/local/bin/claude --print', 'claude-code'],
    ['/opt/codex/codex exec', 'codex'],
    ['node /x/@openai/codex/bin/codex.js', 'codex'],
    ['/usr/share/cursor/cursor --no-sandbox', 'cursor'],
    ['cursor-agent', 'cursor'],
    ['/x/node /x/out/bootstrap-fork --type=extensionHost', 'vscode'],
    ['/x/node /x/out/bootstrap-fork --type=ptyHost', undefined],
    ['bash -c claude', undefined],
    ['vim claude', undefined],
    ['', undefined],
  ])('is known by its program: %s', (text, expected) => {
    expect(startingClient(text.split(' '))).toBe(expected);
  });
});
