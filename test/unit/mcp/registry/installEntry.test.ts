import { describe, expect, it } from 'vitest';
import { launchCautions } from '../../../../src/mcp/registry/cautions.js';
import {
  checkAnswers,
  installEntry,
  registryServerName,
} from '../../../../src/mcp/registry/installEntry.js';
import { installWays } from '../../../../src/mcp/registry/installWay.js';
import {
  type RegistryServer,
  readPage,
  readServer,
} from '../../../../src/mcp/registry/serverJson.js';
import { registryEntries } from '../../../fixtures/registry/entries.mjs';

function serverOf(name: string): RegistryServer {
  const server = readPage({ servers: registryEntries })?.servers.find((one) => one.name === name);
  if (!server) {
    throw new Error(`no entry ${name}`);
  }
  return server;
}

function wayOf(name: string) {
  const [way] = installWays(serverOf(name), true);
  if (!way) {
    throw new Error(`no way of ${name}`);
  }
  return way;
}

function packageVariable(value: string, variables: object) {
  return { environmentVariables: [{ name: 'A', value, variables }] };
}

/** Of a server with one package, whatever it holds. */
function wayOfPackage(rest: object) {
  const packages = [{ registryType: 'npm', identifier: 'a', version: '1.0.0', ...rest }];
  const server = readServer({ server: { name: 'a.b/c', version: '1', packages } });
  const [way] = server ? installWays(server, true) : [];
  if (!way) {
    throw new Error('no way');
  }
  return way;
}

it.each(['__proto__', 'constructor', 'toString'])(
  'knows nothing that runs a package of the kind %s',
  (registryType) => {
    const way = wayOfPackage({ registryType, registryBaseUrl: 'https://packages.example' });
    expect(way.blocker).toContain(registryType);
  },
);

it.each([
  ['run --privileged=1', 'Its container may do what the administrator of this machine may do.'],
  ['run --privileged=TRUE', 'Its container may do what the administrator of this machine may do.'],
  ['container run -v /:/host', 'Its container sees every file of this machine.'],
  ['run -v/:/host', 'Its container sees every file of this machine.'],
  ['run -v/:/host', 'It names no exact version: what runs can change without notice.'],
])('says of a container with %s: %s', (words, caution) => {
  const args = [...words.split(' '), 'example'];
  const launch = { kind: 'stdio', command: 'docker', args, env: {}, inheritEnv: false } as const;
  expect(launchCautions(launch)).toContain(caution);
});

describe('the entry of a server of the registry', () => {
  it.each([
    ['io.github.example/notes', {}, { command: 'npx', args: ['-y', '@example/notes@1.2.3'] }],
    [
      'io.github.example/files',
      {
        'package-0-argument-0': '/a\n/b',
        'package-0-argument-1': 'true',
        'package-0-argument-2': '10',
      },
      {
        command: 'npx',
        args: ['-y', '@example/files@1.2.3', '/a', '/b', '--read-only', '--max-size', '10'],
      },
    ],
    ['com.example/python-tools', {}, { command: 'uvx', args: ['example-tools@2.0.1'] }],
    [
      'com.example/python-from',
      {},
      { command: 'uvx', args: ['--from', 'example-suite==2.0.1', 'suite-server'] },
    ],
    [
      'com.example/container-old',
      {},
      { command: 'docker', args: ['run', '-i', '--rm', '--init', 'docker.io/example/old:3.1'] },
    ],
    [
      'com.example/container-digest',
      {},
      {
        command: 'podman',
        args: ['run', '-i', '--rm', '--init', 'registry.example:5000/team/server@sha256:abc'],
      },
    ],
    [
      'com.example/container-port',
      {},
      {
        command: 'docker',
        args: ['run', '-i', '--rm', '--init', 'registry.example:5000/team/server:9'],
      },
    ],
    [
      'com.example/dotnet',
      {},
      { command: 'dnx', args: ['Example.Server@1.0.0-beta', '--yes', '--', 'mcp', 'start'] },
    ],
    ['com.example/remote', {}, { type: 'http', url: 'https://mcp.example.com/mcp' }],
    ['com.example/remote-sse', {}, { type: 'sse', url: 'https://mcp.example.com/sse' }],
    [
      'com.example/remote-template',
      { 'remote-0-url-tenant': 'mine' },
      { type: 'http', url: 'https://mine.example.com/{unknown}/mcp' },
    ],
    [
      'io.github.example/snake',
      { 'package-0-argument-0': 'bo' },
      { command: 'npx', args: ['-y', '@example/snake@0.1.0', 'bo'] },
    ],
  ])('of %s', (name, answers, entry) => {
    const way = wayOf(name);
    expect(way.blocker).toBeUndefined();
    expect(installEntry(way, answers).entry).toEqual(entry);
  });

  it('keeps secrets out of what is written, and stores each once', () => {
    const way = wayOf('io.github.example/weather');
    const answers = {
      'package-0-env-WEATHER_API_KEY': 'canary',
      'package-0-env-WEATHER_UNITS': 'metric',
    };
    expect(installEntry(way, answers, new Set(['weather-api-key']))).toEqual({
      entry: {
        command: 'npx',
        args: ['-y', '@example/weather@1.2.3'],
        env: { WEATHER_API_KEY: '${input:weather-api-key-2}', WEATHER_UNITS: 'metric' },
      },
      inputs: [
        {
          id: 'weather-api-key-2',
          type: 'promptString',
          description: 'WEATHER_API_KEY',
          password: true,
        },
      ],
      secrets: [{ inputId: 'weather-api-key-2', value: 'canary' }],
    });
  });

  it('puts the parts of a header around the secret in it', () => {
    const { entry, secrets } = installEntry(wayOf('com.example/remote-key'), {
      'remote-0-header-Authorization-token': 'canary',
      'remote-0-header-X-Region': 'us',
    });
    expect(entry).toEqual({
      type: 'http',
      url: 'https://mcp.example.com/mcp',
      headers: { Authorization: 'Bearer ${input:token}', 'X-Region': 'us' },
    });
    expect(secrets).toEqual([{ inputId: 'token', value: 'canary' }]);
  });

  it('gives a container the variables that have a value, and repeats no flag of ours', () => {
    const { entry } = installEntry(wayOf('com.example/container'), {
      'package-0-runtime-1-source': '/home/me/data',
      'package-0-env-TOKEN': 'canary',
    });
    expect(entry).toEqual({
      command: 'docker',
      args: [
        ...['run', '-i', '--rm', '--init'],
        ...['--mount', 'type=bind,src=/home/me/data,dst=/data'],
        ...['-e', 'TOKEN', 'ghcr.io/example/server:4.5'],
      ],
      env: { TOKEN: '${input:token}' },
    });
  });

  it('offers every package and every address of a server', () => {
    const ways = installWays(serverOf('com.example/both'), true);
    expect(ways.map(({ id, title }) => [id, title])).toEqual([
      ['package-0', 'npm: @example/both@1.2.3'],
      ['remote-0', 'https://both.example.com/mcp'],
      ['remote-1', 'https://both.example.com/sse'],
    ]);
  });

  it.each([
    ['com.example/bundle', 'Download the bundle'],
    ['com.example/rust', 'cargo install'],
    ['com.example/golang', 'go install'],
    ['com.example/unknown-kind', 'floppy'],
    ['com.example/remote-plain', 'has to begin with https://'],
    ['com.example/remote-odd', 'websocket'],
    ['com.example/started-by-hand', 'start by yourself'],
    ['com.example/elsewhere', 'packages.elsewhere.example'],
  ])('says why %s cannot be added from here', (name, words) => {
    expect(wayOf(name).blocker).toContain(words);
  });

  it('lets the registry of a company name its own place for packages', () => {
    const [way] = installWays(serverOf('com.example/elsewhere'), false);
    expect(way?.blocker).toBeUndefined();
    expect(way && installEntry(way, {}).entry).toEqual({
      command: 'npx',
      args: ['-y', '--registry', 'https://packages.elsewhere.example', '@example/elsewhere@1.2.3'],
    });
  });

  it.each([
    [
      'variable of the machine',
      { packageArguments: [{ type: 'positional', value: '$' + '{HOME}' }] },
    ],
    ['variable in a default', { packageArguments: [{ type: 'positional', default: '{env:KEY}' }] }],
    [
      'variable whose middle is offered',
      packageVariable('{e{rest}:HOME}', { rest: { default: 'nv' } }),
    ],
    [
      'variable whose beginning is offered',
      packageVariable('{rest}env:HOME}', { rest: { choices: ['{'] } }),
    ],
    ['command', { environmentVariables: [{ name: 'A', value: '!touch canary' }] }],
    ['command as a default', { environmentVariables: [{ name: 'A', default: ' !touch canary' }] }],
    ['hidden character', { packageArguments: [{ type: 'positional', value: 'a\u0007b' }] }],
    [
      'variable in a flag',
      { packageArguments: [{ type: 'named', name: '$' + '{A}', value: 'b' }] },
    ],
    ['odd name of a variable', { environmentVariables: [{ name: 'A=B' }] }],
    ['flag as a package', { identifier: '--registry=https://x.example' }],
    ['address as a package', { identifier: 'https://x.example/a.tgz' }],
    ['place of code as a package', { identifier: 'github:someone/code' }],
    ['folder as a package', { identifier: './code' }],
    ['flag as an image', { registryType: 'oci', identifier: '--privileged' }],
    ['address as a package of Python', { registryType: 'pypi', identifier: 'a@https://x.example' }],
    ['range of versions', { version: '^1.0.0 || *' }],
  ])('takes no %s from a registry', (_what, rest) => {
    expect(wayOfPackage(rest).blocker).toBeDefined();
  });

  it('takes the same parts where they are harmless', () => {
    const rest = { packageArguments: [{ type: 'positional', value: 'a', default: 'b' }] };
    expect(wayOfPackage(rest).blocker).toBeUndefined();
  });

  it('says what is wrong with answers, at their place', () => {
    const files = wayOf('io.github.example/files');
    expect(checkAnswers(files, { 'package-0-argument-2': 'ten' })).toEqual([
      { field: 'package-0-argument-0', message: 'A value is needed here.' },
      { field: 'package-0-argument-2', message: 'This must be number.' },
    ]);
    const weather = wayOf('io.github.example/weather');
    const wrong = {
      'package-0-env-WEATHER_UNITS': 'stones',
      'package-0-env-WEATHER_API_KEY': 'a\u0000',
    };
    expect(checkAnswers(weather, wrong).map(({ message }) => message)).toEqual([
      'The text holds characters that cannot be seen.',
      'This must be metric | imperial.',
    ]);
    expect(checkAnswers(files, { 'package-0-argument-0': '!rm' })).toEqual([
      {
        field: 'package-0-argument-0',
        message: 'A value that begins with "!" would be run as a command.',
      },
    ]);
  });

  it('suggests a short name', () => {
    expect(registryServerName('io.github.example/weather-mcp-server')).toBe('weather');
    expect(registryServerName('com.example/mcp')).toBe('mcp');
  });
});
