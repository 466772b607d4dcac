import { describe, expect, it } from 'vitest';
import type { McpHttpLaunch } from '../../../../src/config/definition.js';
import type { ConsentRequest } from '../../../../src/mcp/mcpApi.js';
import { changesText, consentText } from '../../../../src/presentation/consent/consentText.js';
import {
  compareLaunches,
  launchRecord,
} from '../../../../src/presentation/consent/launchRecord.js';
import {
  FakeServer,
  fakeDefinition,
  fakeFolder,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const stdio: ConsentRequest = {
  serverId: 'file:///work/api#memory',
  name: 'memory',
  reason: { kind: 'never_consented' },
  description: {
    kind: 'stdio',
    argv: ['npx', '-y', 'two words'],
    executable: { path: '/usr/bin/npx', isInFolder: false, state: 'found' },
    cwd: { found: { path: '/work/api', isInFolder: true, state: 'found' }, isOutsideFolder: false },
    inheritEnv: false,
    env: [{ name: 'TOKEN', text: 'plain' }],
    headers: [],
    settings: [],
    reads: [],
    addresses: [],
    traits: [],
  },
};
const remote: ConsentRequest = {
  serverId: 'file:///work/api#docs',
  name: 'docs',
  reason: { kind: 'sensitive_remote', traits: ['reads_environment', 'skips_tls'] },
  description: {
    kind: 'http',
    argv: [],
    inheritEnv: false,
    env: [],
    headers: [{ name: 'Authorization', text: 'Bearer ${TOKEN}' }],
    settings: [{ name: 'ignoreCertificateErrors', text: 'true' }],
    reads: [{ kind: 'env', name: 'TOKEN', field: 'headers.Authorization' }],
    addresses: [{ field: 'url', text: 'https://example.com/mcp', reach: 'public' }],
    traits: ['reads_environment', 'skips_tls'],
  },
};

function textOf(requests: readonly ConsentRequest[]) {
  return consentText(requests);
}

describe('consent prompt', () => {
  it('lists everything that decides what would run', () => {
    expect(textOf([stdio, remote])).toBe(
      [
        'memory:',
        'command: npx -y "two words"',
        'found at: /usr/bin/npx',
        'working directory: /work/api',
        'environment: TOKEN=plain',
        '',
        'docs:',
        'address: https://example.com/mcp',
        'header: Authorization: Bearer ${TOKEN}',
        'ignoreCertificateErrors: true',
        'reads: environment variable TOKEN for headers.Authorization',
        'note: it reads environment variables or secrets',
        'note: it switches certificate verification off',
      ].join('\n'),
    );
  });

  it('shows what a changed server was before, line by line', () => {
    const consented = {
      ...stdio.description,
      argv: ['npx', 'old'],
      env: [
        { name: 'OLD', text: '1' },
        { name: 'TOKEN', text: 'plain' },
      ],
    };
    const detail = textOf([{ ...stdio, reason: { kind: 'changed', consented } }]);
    expect(detail.split('\n').slice(1)).toEqual([
      'The server changed since you trusted it.',
      'before: command: npx old',
      'now: command: npx -y "two words"',
      'found at: /usr/bin/npx',
      'working directory: /work/api',
      'environment: TOKEN=plain',
      'before: environment: OLD=1',
    ]);
  });

  it('cannot be made to look different by names or arguments with line breaks', () => {
    const description = { ...stdio.description, argv: ['node', 'a\n\nharmless:\nnode b'] };
    const detail = textOf([{ ...stdio, name: 'x\ny', description }]);
    expect(detail.split('\n')).toHaveLength(5);
    expect(detail).not.toContain('\nharmless');
  });

  it('cuts nothing', () => {
    const description = { ...stdio.description, argv: ['node', `${'x'.repeat(5000)}end`] };
    expect(textOf([{ ...stdio, description }])).toContain('xend');
    const many = Array.from({ length: 40 }, (_, index) => ({ ...stdio, name: `server${index}` }));
    expect(textOf(many)).toContain('server39:');
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
    const changed = changesText(fakePool([server('changed', 'b'), server('same', 'a')]), [
      'changed',
    ]);
    expect(changed).toMatch(/^changed:\ncommand: node b\n/);
    expect(changed).not.toContain('same');
    expect(JSON.stringify(now)).not.toContain('node');
    const off = fakeDefinition('off', { folder, change: { enabled: false } });
    expect(launchRecord([new FakeServer(off, { kind: 'disabled', by: 'server' })])).toEqual({});
    const { launch } = server('mine', 'a').definition;
    const origin = { layer: 'local', path: '/h/mcp.json' } as const;
    const mine = fakeDefinition('mine', { folder, change: { launch, origin } });
    expect(launchRecord([new FakeServer(mine, { kind: 'idle' })])).toEqual({});
  });

  it('tells which remote servers read or run something new, or lead elsewhere', () => {
    const folder = fakeFolder('api');
    const server = (name: string, url: string, token?: string) => {
      const launch: McpHttpLaunch = {
        kind: 'http',
        url,
        transport: 'auto',
        headers: token === undefined ? {} : { A: token },
        ignoreCertificateErrors: false,
      };
      return new FakeServer(fakeDefinition(name, { folder, change: { launch } }), { kind: 'idle' });
    };
    const before = launchRecord([
      server('same', 'https://a.example'),
      server('other', 'https://a.example', 'plain'),
      server('moved', 'https://a.example'),
      server('reads', 'https://a.example'),
    ]);
    const now = launchRecord([
      server('same', 'https://a.example'),
      server('other', 'https://a.example', 'text'),
      server('moved', 'https://b.example'),
      server('reads', 'https://a.example', '${TOKEN}'),
      server('plain', 'https://a.example'),
      server('added', 'http://127.0.0.1/'),
    ]);
    expect(compareLaunches(before, now)).toEqual(['moved', 'reads', 'added']);
  });
});
