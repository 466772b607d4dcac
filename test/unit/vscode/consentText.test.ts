import { describe, expect, it } from 'vitest';
import type { ConsentRequest } from '../../../src/mcp/mcpApi.js';
import { changeSetKey, consentText } from '../../../src/vscode/prompts/consentText.js';
import { compareLaunches, launchRecord } from '../../../src/vscode/prompts/launchRecord.js';
import { FakeServer, fakeDefinition, fakeFolder } from '../../fakes/fakeMcp.js';

const stdio: ConsentRequest = {
  serverId: 'file:///work/api#memory',
  name: 'memory',
  reason: { kind: 'never_consented' },
  launch: {
    kind: 'stdio',
    argv: ['npx', '-y', 'two words'],
    cwd: '/work/api',
    envKeys: ['TOKEN'],
    headerKeys: [],
  },
  resolvedExecutable: '/usr/bin/npx',
};
const remote: ConsentRequest = {
  serverId: 'file:///work/api#docs',
  name: 'docs',
  reason: { kind: 'sensitive_remote', traits: ['reads_environment', 'skips_tls'] },
  launch: {
    kind: 'http',
    argv: ['https://example.com/mcp'],
    envKeys: [],
    headerKeys: ['Authorization'],
  },
};

describe('consent prompt', () => {
  it('lists everything that decides what would run', () => {
    expect(consentText([stdio, remote], undefined)).toEqual({
      isComplete: true,
      detail: [
        'memory:',
        'npx -y "two words"',
        'executable: /usr/bin/npx',
        'working directory: /work/api',
        'environment: TOKEN',
        '',
        'docs:',
        'https://example.com/mcp',
        'headers: Authorization',
        'asks because it reads environment variables or secrets, it switches certificate verification off',
      ].join('\n'),
    });
  });

  it('shows what a changed server ran before', () => {
    const consented = { ...stdio.launch, argv: ['npx', 'old'] };
    const { detail } = consentText(
      [{ ...stdio, reason: { kind: 'changed', consented } }],
      undefined,
    );
    expect(detail).toContain('was: npx old\nis now: npx -y "two words"');
  });

  it('says which environment a changed server had before', () => {
    const consented = { ...stdio.launch, envKeys: ['OLD'] };
    const { detail } = consentText(
      [{ ...stdio, reason: { kind: 'changed', consented } }],
      undefined,
    );
    expect(detail).toContain('environment was: OLD');
    expect(detail).toContain('environment: TOKEN');
  });

  it('names the folder where a server runs that does not say where', () => {
    const { cwd: _, ...launch } = stdio.launch;
    const { detail } = consentText([{ ...stdio, launch }], '/work/default');
    expect(detail).toContain('working directory: /work/default');
  });

  it('says that something changed where the command is the same', () => {
    const reason = { kind: 'changed', consented: stdio.launch } as const;
    expect(consentText([{ ...stdio, reason }], undefined).detail).toContain(
      'values of its environment',
    );
  });

  it('says when the executable was not found', () => {
    const { resolvedExecutable: _, ...missing } = stdio;
    expect(consentText([missing], undefined).detail).toContain('executable: not found');
  });

  it('cannot be made to look different by names or arguments with line breaks', () => {
    const launch = { ...stdio.launch, argv: ['node', 'a\n\nharmless:\nnode b'] };
    const { detail } = consentText([{ ...stdio, name: 'x\ny', launch }], undefined);
    expect(detail.split('\n')).toHaveLength(5);
    expect(detail).not.toContain('\nharmless');
  });

  it('says when something did not fit', () => {
    const launch = { ...stdio.launch, argv: ['node', 'x'.repeat(5000)] };
    const long = consentText([{ ...stdio, launch }], undefined);
    expect(long.isComplete).toBe(false);
    expect(long.detail).toContain('more characters');
    const many = consentText(
      Array.from({ length: 40 }, () => stdio),
      undefined,
    );
    expect(many.isComplete).toBe(false);
    expect(many.detail).toContain('and 15 more servers');
  });

  it('is the same question in any order, and another one when a command changes', () => {
    expect(changeSetKey([stdio, remote])).toBe(changeSetKey([remote, stdio]));
    const launch = { ...stdio.launch, argv: ['npx', 'other'] };
    expect(changeSetKey([{ ...stdio, launch }])).not.toBe(changeSetKey([stdio]));
    const hashed = (launchHash: string) => changeSetKey([{ ...stdio, launchHash }]);
    expect(hashed('a')).not.toBe(hashed('b'));
  });
});

describe('launch record', () => {
  it('tells which commands are new or changed', () => {
    const folder = fakeFolder('api');
    const server = (name: string, arg: string) => {
      const launch = {
        kind: 'stdio',
        command: 'node',
        args: [arg],
        env: {},
        inheritEnv: false,
      } as const;
      return new FakeServer(fakeDefinition(name, { folder, change: { launch } }), { kind: 'idle' });
    };
    const before = launchRecord([server('same', 'a'), server('changed', 'a'), server('gone', 'a')]);
    const now = launchRecord([server('same', 'a'), server('changed', 'b'), server('added', 'a')]);
    expect(compareLaunches(before, now)).toEqual(['changed', 'added']);
    expect(JSON.stringify(now)).not.toContain('node');
    const off = fakeDefinition('off', { folder, change: { enabled: false } });
    expect(launchRecord([new FakeServer(off, { kind: 'disabled', by: 'server' })])).toEqual({});
  });
});
