import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpHttpLaunch, McpStdioLaunch } from '../../../../src/config/definition.js';
import {
  isAsDescribed,
  isLaunchDescription,
  type LaunchDescription,
  type LaunchFacts,
} from '../../../../src/config/launch/launchDescription.js';
import { describeLaunch } from '../../../../src/mcp/trust/describeLaunch.js';
import {
  consentLines,
  describeLines,
  diffDescriptions,
} from '../../../../src/mcp/trust/descriptionLines.js';
import { findLaunchFacts, programFacts } from '../../../../src/mcp/trust/findLaunchFacts.js';
import { launchLines } from '../../../../src/mcp/trust/launchLines.js';
import { createNodeHostEnvironment } from '../../../../src/platform/environment/nodeHostEnvironment.js';
import { findProgram } from '../../../../src/platform/environment/program.js';
import type { HostEnvironment } from '../../../../src/platform/ports.js';
import { createFileTree, Program } from '../../../helpers/attacks/fileTree.js';

const stdio: McpStdioLaunch = {
  kind: 'stdio',
  command: 'node',
  args: ['server.js'],
  env: {},
  inheritEnv: false,
};
const http: McpHttpLaunch = {
  kind: 'http',
  url: 'https://example.com/mcp',
  transport: 'auto',
  headers: {},
  ignoreCertificateErrors: false,
};

function describeIt(launch: McpStdioLaunch | McpHttpLaunch) {
  return describeLaunch(launch, { isGlobalName: false });
}

/** What somebody reads who is asked for consent. */
function shown(launch: McpStdioLaunch | McpHttpLaunch): string {
  return consentLines(describeIt(launch))
    .map(({ label, text }) => `${label}: ${text}`)
    .join('\n');
}

describe('the description of a launch', () => {
  it.each([
    [
      'a command in env',
      { ...stdio, env: { A: '!touch x' } },
      'runs: the command touch x in a shell for env.A',
    ],
    ['a command in a header', { ...http, headers: { A: '!touch x' } }, 'touch x'],
    ['a command in oauth', { ...http, oauth: { clientSecret: '!touch x' } }, 'touch x'],
    ['inheritEnv', { ...stdio, inheritEnv: true }, 'every variable of the environment'],
    ['a variable', { ...stdio, env: { A: 'x${SECRET}' } }, 'environment variable SECRET for env.A'],
    ['an input', { ...stdio, args: ['${input:key}'] }, 'your input key for args[0]'],
    ['NODE_OPTIONS', { ...stdio, env: { NODE_OPTIONS: '-r ./x.js' } }, 'NODE_OPTIONS=-r ./x.js'],
    ['PATH', { ...stdio, env: { PATH: './evil:/bin' } }, 'PATH=./evil:/bin'],
    ['the end of a long text', { ...stdio, args: [`${'x'.repeat(9000)} end`] }, ' end"'],
    ['what follows --token', { ...stdio, args: ['--token', 'evil.sh'] }, '--token evil.sh'],
    ['a line break', { ...stdio, args: ['a\nb'] }, '"a\\nb"'],
    ['a change of direction', { ...stdio, args: ['a\u202eb'] }, '"a\\u{202e}b"'],
    ['a blank-looking letter', { ...stdio, command: '\u3164' }, '"\\u{3164}"'],
    ['the name of a variable', { ...stdio, env: { 'A\u200b': '1' } }, '"A\\u{200b}"=1'],
    ['a loopback address', { ...http, url: 'http://2130706433/' }, '(this machine)'],
    ['the metadata of clouds', { ...http, url: 'http://[64:ff9b::a9fe:a9fe]/' }, 'metadata'],
    ['an address of the network', { ...http, url: 'http://10.0.0.8/' }, '(your network)'],
    ['a name of the network', { ...http, url: 'http://router/' }, 'a name of your network'],
    ['an address that is not known', { ...http, url: 'http://${H}/' }, 'depends on a variable'],
    ['no address', { ...http, url: 'http://[' }, '(not an address)'],
    ['the issuer', { ...http, oauth: { issuer: 'https://i.example' } }, 'https://i.example'],
    [
      'the endpoints of its own',
      { ...http, oauth: { tokenUrl: 'https://t.example/token' } },
      'oauth.tokenUrl: https://t.example/token',
    ],
    [
      'what it adds to a sign-in',
      { ...http, oauth: { parameters: { tenant: 'of-the-entry' } } },
      'of-the-entry',
    ],
    ['a transport', { ...http, transport: 'sse' }, 'transport: sse'],
    [
      'a setting within another',
      {
        ...http,
        oauth: { identityProvider: { tokenEndpoint: 'https://t', clientId: 'c', idToken: 'i' } },
      },
      'oauth.identityProvider.clientId: c',
    ],
    ['whom tokens are for', { ...http, oauth: { audience: 'https://a.example' } }, 'a.example'],
    ['the grant', { ...http, oauth: { grant: 'client_credentials' } }, 'client_credentials'],
    ['no check of certificates', { ...http, ignoreCertificateErrors: true }, 'certificate'],
    [
      'what switches that check off',
      { ...http, ignoreCertificateErrors: true },
      'ignoreCertificateErrors: true',
    ],
    ['a bearer token', { ...http, bearerTokenEnv: 'TOKEN' }, 'environment variable TOKEN'],
    [
      'the token endpoint',
      {
        ...http,
        oauth: {
          identityProvider: { tokenEndpoint: 'https://t.example', clientId: 'c', idToken: '!id' },
        },
      },
      'oauth.identityProvider.tokenEndpoint: https://t.example',
    ],
  ] as const)('shows %s', (_title, launch, text) => {
    expect(shown(launch)).toContain(text);
    expect(isLaunchDescription(JSON.parse(JSON.stringify(describeIt(launch))))).toBe(true);
  });

  it('says nothing of a transport that nobody has set, nor of an environment of a remote server', () => {
    expect(shown(http)).toBe('address: https://example.com/mcp');
  });

  it('shows each address once', () => {
    const [issuer, tokenEndpoint] = ['https://i.example', 'https://t.example'];
    const identityProvider = { tokenEndpoint, clientId: 'c', idToken: '!id' };
    const text = shown({ ...http, oauth: { issuer, identityProvider } });
    expect(text.match(/https:.*/g)).toEqual([http.url, issuer, tokenEndpoint]);
  });

  it('masks literal secrets everywhere but in the question', () => {
    const token = 'ghp_0123456789012345678901234567890123456789';
    const args = ['--api-key', 'verysecretvalue', token];
    const url = 'https://user:verysecretvalue@example.com/?token=verysecretvalue';
    const oauth = { clientSecret: 'verysecretvalue', clientId: '!get verysecretvalue' };
    const text = JSON.stringify([
      launchLines({ ...stdio, args, env: { KEY: 'verysecretvalue', B: '!get verysecretvalue' } }),
      launchLines({ ...http, url, headers: { 'X-Key': 'verysecretvalue' }, oauth }),
      launchLines({ ...http, bearerToken: 'verysecretvalue' }),
    ]);
    expect(text).toContain('KEY');
    expect(text).toContain('X-Key');
    expect(text).not.toMatch(/verysecretvalue|ghp_/);
  });

  const privateKey = '-----BEGIN PRIVATE KEY-----\nonlyletters\n-----END PRIVATE KEY-----';
  it.each<readonly [change: Partial<McpHttpLaunch>, isShown: boolean]>([
    [{ headers: { Authorization: `Basic ${btoa('visibledog')}` } }, false],
    [{ headers: { 'X-Api-Key': 'onlyletters' } }, false],
    [{ headers: { 'X-Api-Key': privateKey } }, false],
    [{ bearerToken: 'onlyletters' }, false],
    [{ oauth: { clientSecret: 'onlyletters' } }, false],
    [{ oauth: { clientSecret: privateKey } }, false],
    // what runs, what is read and what cannot be seen is shown
    [{ headers: { 'X-Api-Key': '!print onlyletters' } }, true],
    [{ bearerToken: '!print onlyletters' }, true],
    [{ headers: { 'X-Api-Key': 'onlyletters${SECRET}' } }, true],
    [{ headers: { 'X-Api-Key': 'onlyletters\u200b' } }, true],
  ])('masks in the question what is sent as a secret, and nothing else: %j', (change, isShown) => {
    expect(/onlyletters|dmlz/.test(shown({ ...http, ...change }))).toBe(isShown);
  });

  it('does not take a stored value of another shape', () => {
    const summary = { kind: 'stdio', argv: ['node'], envKeys: [], headerKeys: [] };
    expect(isLaunchDescription(summary)).toBe(false);
    expect(isLaunchDescription({ ...describeIt(stdio), traits: ['unheard_of'] })).toBe(false);
  });
});

const file = { path: '/w/a', isInFolder: true, leadsTo: '/w/b', state: 'found' } as const;
const facts = {
  executable: { ...file, path: '/w/run' },
  package: { name: 'p', version: '1', file: { ...file, path: '/w/p' } },
  cwd: { ...file, path: '/w' },
  envFile: { file: { ...file, path: '/w/.env' }, names: ['A'], digest: 'd' },
} satisfies LaunchFacts;
const whole: LaunchDescription = {
  ...describeIt({ ...http, headers: { A: '${input:key}' } }),
  ...facts,
  argv: ['node'],
  env: [{ name: 'A', text: '1' }],
  settings: [{ name: 'oauth.grant', text: 'x' }],
  cwd: { written: '.', found: facts.cwd, isOutsideFolder: false },
  envFile: { written: '.env', ...facts.envFile },
};

/** Every value at any depth, with the description that has `other` in its place. */
function* withEach(
  other: unknown,
  value: unknown = whole,
  path = '',
): Generator<[string, unknown]> {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const put = (changed: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
    yield [`${path}.${name}`, put(other)];
    for (const [below, changed] of withEach(other, inner, `${path}.${name}`)) {
      yield [below, put(changed)];
    }
  }
}

it('is taken for a description only if all of it is of its shape', () => {
  expect(isLaunchDescription(whole)).toBe(true);
  for (const other of [7, null, {}]) {
    const taken = [...withEach(other)].filter(([, changed]) => isLaunchDescription(changed));
    expect(taken.map(([path]) => path)).toEqual([]);
  }
  const optional = ['executable', 'package', 'cwd', 'envFile'];
  const without = Object.keys(whole).filter((name) =>
    isLaunchDescription({ ...whole, [name]: undefined }),
  );
  expect(without.toSorted()).toEqual(optional.toSorted());
});

it('is as described while the files of the folder are, and their links lead where they led', () => {
  expect(isAsDescribed(whole, facts)).toBe(true);
  const other = { ...file, path: '/w/other' };
  const elsewhere = (one: typeof file) => ({ ...one, leadsTo: '/w/else' });
  const changed: readonly Partial<LaunchFacts>[] = [
    { executable: other },
    { executable: elsewhere(facts.executable as never) },
    { cwd: other },
    { package: { ...facts.package, file: other } },
    { package: undefined as never },
    { envFile: { ...facts.envFile, file: other } },
    { envFile: { ...facts.envFile, digest: 'e' } },
    { envFile: undefined as never },
  ];
  expect(changed.filter((one) => isAsDescribed(whole, { ...facts, ...one }))).toEqual([]);
  // what lies outside of the folder may be another
  const outside = { path: '/usr/bin/a', isInFolder: false, state: 'found' } as const;
  const ofUser = { file: outside, digest: 'd' };
  const described = { ...whole, executable: outside, envFile: { written: 'e', ...ofUser } };
  const now = {
    ...facts,
    executable: { ...outside, path: '/usr/bin/b' },
    envFile: { ...ofUser, digest: 'e' },
  };
  expect(isAsDescribed(described, now)).toBe(true);
  expect(isAsDescribed(described, { ...now, executable: file })).toBe(false);
});

describe('the difference of two launches', () => {
  it('shows each line that came or went, and the others as they are', () => {
    const before = describeIt({ ...stdio, env: { A: '1', B: '2' } });
    const now = describeIt({ ...stdio, inheritEnv: true, env: { B: '2', A: '3' } });
    expect(diffDescriptions(before, now).map(({ change, text }) => `${change} ${text}`)).toEqual([
      'same node server.js',
      'removed A=1',
      'added every variable of the environment of the editor',
      'same B=2',
      'added A=3',
      'added it reads environment variables or secrets',
    ]);
  });

  it('is empty of changes for equal launches', () => {
    const odd = { ...http, ignoreCertificateErrors: true, headers: { A: '${input:key}' } };
    for (const launch of [http, odd]) {
      const lines = diffDescriptions(describeIt(launch), describeIt(launch));
      expect(lines.filter(({ change }) => change !== 'same')).toEqual([]);
    }
    expect(describeIt(odd).traits).toContain('reads_environment');
    expect(describeIt(http).traits).toEqual([]);
  });
});

describe('a launch with words that are not plain', () => {
  const odd: McpStdioLaunch = { ...stdio, args: ['--require', './x.js', 'server.js'] };

  it('names them', () => {
    expect(shown(odd)).toContain('it may run other code: --require');
    expect(shown(stdio)).not.toContain('other code');
  });

  it('shows no change where only our knowledge of it changed', () => {
    const now = describeIt(odd);
    const before = { ...now, traits: [] };
    expect(diffDescriptions(before, now).filter(({ change }) => change !== 'same')).toEqual([]);
    const plain = diffDescriptions(describeIt(stdio), now);
    expect(plain.find(({ kind }) => kind === 'trait')?.change).toBe('added');
  });
});

it('says what an environment file sets, and by what its content is told from another', () => {
  const text = (envFile: LaunchDescription['envFile']) =>
    describeLines({ ...describeIt(stdio), envFile }).find(
      ({ label }) => label === 'environment file',
    )?.text;
  const found = { written: '.env', file: { ...file, path: '/w/.env' } };
  expect(text({ ...found, names: ['A', 'B'], digest: '0123456789' })).toContain(
    'sets A, B (content 01234567)',
  );
  expect(text({ ...found, names: [] })).toMatch(/: sets nothing$/);
  expect(text(found)).not.toContain('sets');
});

describe('what is found on this machine', () => {
  let root: string;
  let environment: HostEnvironment;

  beforeEach(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), 'pi-mcp-describe-')));
    await createFileTree(root, { 'work/sub/tool': new Program(''), 'bin/x': '', tool: '' });
    const host = createNodeHostEnvironment({ homeDir: root, env: {} });
    const { homeDir, platform } = host;
    const loginShellPath = () => Promise.resolve(join(root, 'bin'));
    environment = { ...host, homeDir, platform, loginShellPath };
  });

  afterEach(() => rm(root, { recursive: true }));

  it.each<readonly [what: string, launch: Partial<McpStdioLaunch>, lines: readonly string[]]>([
    [
      'a program, with no word of a link where there is none',
      { command: './tool', cwd: 'sub' },
      ['found at: ROOT/sub/tool (a file of this folder)', 'working directory: ROOT/sub'],
    ],
    ['no program', { command: './later' }, ['found at: ROOT/later (not found)']],
    ['no program of a name', { command: 'later' }, ['found at: later (not found)']],
    ['a program of the user', { command: 'x' }, ['found at: HOME/bin/x']],
    [
      'no look at what the entry itself leads to',
      { command: 'x', env: { PATH: '${userHome}/bin' } },
      ['found at: HOME/bin/x (outside of the folder; looked up only once you trust it)'],
    ],
    ['no file of variables', { envFile: '.env' }, ['environment file: ROOT/.env (not found)']],
  ])('is shown: %s', async (_what, change, expected) => {
    const folder = join(root, 'work');
    const launch = { ...stdio, ...change };
    const facts = await findLaunchFacts(launch, folder, environment);
    const lines = describeLines(describeLaunch(launch, { isGlobalName: false, facts }));
    const texts = lines.map(({ label, text }) =>
      `${label}: ${text}`.replaceAll(folder, 'ROOT').replaceAll(root, 'HOME'),
    );
    expect(texts).toEqual(expect.arrayContaining([...expected]));
  });

  it.each([
    ['a server of the user', undefined],
    ['a server of a folder', 'work'],
  ])('is told of %s before it starts, whether its program is there or not', async (_what, name) => {
    const folder = name === undefined ? undefined : join(root, name);
    const look = async (command: string) => {
      const request = { command: join(root, command), args: [], cwd: root };
      const program = await findProgram(request, { environment, env: {} });
      return (await programFacts(program, { cwd: root }, folder)).executable;
    };
    const outside = { isInFolder: false };
    expect(await look('tool')).toEqual({ ...outside, path: join(root, 'tool'), state: 'found' });
    expect(await look('gone')).toEqual({ ...outside, path: join(root, 'gone'), state: 'missing' });
  });
});
