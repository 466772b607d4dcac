import { describe, expect, it } from 'vitest';
import type { ConsentRequest } from '../../../src/mcp/mcpApi.js';
import { consentText } from '../../../src/vscode/prompts/consentText.js';
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

const api = { uri: 'file:///work/api', name: 'api', fsPath: '/work/api' };

function textOf(requests: readonly ConsentRequest[]) {
  return consentText([{ folder: api, requests }]);
}

describe('consent prompt', () => {
  it('lists everything that decides what would run', () => {
    expect(textOf([stdio, remote])).toEqual({
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
    const { detail } = textOf([{ ...stdio, reason: { kind: 'changed', consented } }]);
    expect(detail).toContain('was: npx old\nis now: npx -y "two words"');
  });

  it('says which environment a changed server had before', () => {
    const consented = { ...stdio.launch, envKeys: ['OLD'] };
    const { detail } = textOf([{ ...stdio, reason: { kind: 'changed', consented } }]);
    expect(detail).toContain('environment was: OLD');
    expect(detail).toContain('environment: TOKEN');
  });

  it('names the folder where a server runs that does not say where', () => {
    const { cwd: _, ...launch } = stdio.launch;
    const { detail } = textOf([{ ...stdio, launch }]);
    expect(detail).toContain('working directory: /work/api');
  });

  it('says that something changed where the command is the same', () => {
    const reason = { kind: 'changed', consented: stdio.launch } as const;
    expect(textOf([{ ...stdio, reason }]).detail).toContain('values of its environment');
  });

  it('says when the executable was not found', () => {
    const { resolvedExecutable: _, ...missing } = stdio;
    expect(textOf([missing]).detail).toContain('executable: not found');
  });

  it('cannot be made to look different by names or arguments with line breaks', () => {
    const launch = { ...stdio.launch, argv: ['node', 'a\n\nharmless:\nnode b'] };
    const { detail } = textOf([{ ...stdio, name: 'x\ny', launch }]);
    expect(detail.split('\n')).toHaveLength(5);
    expect(detail).not.toContain('\nharmless');
  });

  it('says of which folder a server is when it asks for several', () => {
    const web = { uri: 'file:///work/web', name: 'web app', fsPath: '/work/web' };
    const { detail } = consentText([
      { folder: api, requests: [stdio] },
      { folder: web, requests: [remote] },
    ]);
    expect(detail).toContain('memory, folder api:');
    expect(detail).toContain('docs, folder "web app":');
  });

  it('says when something did not fit', () => {
    const launch = { ...stdio.launch, argv: ['node', 'x'.repeat(5000)] };
    const long = textOf([{ ...stdio, launch }]);
    expect(long.isComplete).toBe(false);
    expect(long.detail).toContain('more characters');
    const many = textOf(Array.from({ length: 40 }, () => stdio));
    expect(many.isComplete).toBe(false);
    expect(many.detail).toContain('and 15 more servers');
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
