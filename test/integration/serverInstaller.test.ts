/** Servers of a registry on loopback, of links and of pasted texts, on their way into configuration files. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverId, type WorkspaceFolder } from '../../src/config/definition.js';
import type { InputStore } from '../../src/config/inputs/inputStore.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import type { ServerInstaller } from '../../src/presentation/add/serverInstaller.js';
import type { OfferDetails } from '../../src/protocol/add/addProtocol.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';
import { type RegistryServer, startRegistry } from '../helpers/registryServer.js';
import { cardOf, createInstaller, paramsFor } from '../helpers/serverInstaller.js';

const everybody = 'Folder work: for Everybody';
const key = 'package-0-env-WEATHER_API_KEY';
const units = 'package-0-env-WEATHER_UNITS';

let harness: CoreHarness;
let folder: WorkspaceFolder;
let service: McpService;
let registry: RegistryServer;
let answers: InputStore;
let installer: ServerInstaller;

beforeEach(async () => {
  harness = await CoreHarness.create();
  registry = await startRegistry();
  const known = { command: 'npx', args: ['-y', '@example/notes@1.0.0'], enabled: false };
  folder = await harness.addFolder('work', { known, weather: { command: 'x', enabled: false } });
  service = await harness.start();
  answers = createAnswers();
  installer = createInstaller(service, { answers, url: registry.url });
});
afterEach(async () => {
  await harness.dispose();
  await registry.close();
});

const file = () => join(folder.fsPath ?? '', '.mcp.json');
const written = async () => JSON.parse(await readFile(file(), 'utf8'));

describe('a server of the registry', () => {
  it('is listed with what it is, and with the name under which it is configured already', async () => {
    const { rows } = await installer.search('example/notes');
    expect(rows).toEqual([
      {
        name: 'io.github.example/notes',
        title: 'Notes',
        description: 'What notes does',
        version: '1.2.3',
        isDeprecated: false,
        kinds: ['npm'],
        usedAs: ['known'],
      },
    ]);
  });

  it('says who published it, when, and what it asks for', async () => {
    const details = await installer.open('io.github.example/weather');
    expect(details).toMatchObject({
      title: 'Weather',
      suggestedName: 'weather-2',
      facts: [
        'io.github.example/weather, version 1.2.3',
        'This version was published 3 days ago.',
        'Published by the GitHub account example. It was not checked.',
      ],
      cautions: [],
    });
    expect(details.ways[0]).toMatchObject({
      schema: { required: [key], properties: { [key]: { format: 'password' } } },
      secrets: [key],
    });
    expect(Object.keys(details.ways[0]?.schema.properties ?? {})).toEqual([key, units]);
  });

  it('is shown as what would be written, in the words of the question about consent', async () => {
    const details = await installer.open('io.github.example/weather');
    const empty = paramsFor(installer, details, everybody);
    expect(await installer.preview(empty)).toEqual({
      troubles: [{ field: key, message: 'A value is needed here.' }],
      lines: [],
      cautions: [],
      text: '',
    });
    const preview = await installer.preview({ ...empty, answers: { [key]: 'canary' } });
    expect(preview.lines).toContainEqual({
      label: 'command',
      text: 'npx -y @example/weather@1.2.3',
    });
    expect(preview.cautions).toEqual([]);
    expect(JSON.stringify(preview)).not.toContain('canary');
    expect(await written()).not.toHaveProperty('inputs');
  });

  it('is written pinned, with its secret stored apart, and waits for consent', async () => {
    const details = await installer.open('io.github.example/weather');
    const params = paramsFor(installer, details, everybody, { [key]: 'canary', [units]: 'metric' });
    const added = await installer.add(params);
    expect(added).toEqual({
      id: serverId(folder.uri, 'weather-2'),
      name: 'weather-2',
    });
    const { mcpServers, inputs } = await written();
    expect(mcpServers['weather-2']).toEqual({
      command: 'npx',
      args: ['-y', '@example/weather@1.2.3'],
      env: { WEATHER_API_KEY: '${input:weather-api-key}', WEATHER_UNITS: 'metric' },
    });
    expect(inputs).toEqual([
      {
        id: 'weather-api-key',
        type: 'promptString',
        description: 'WEATHER_API_KEY',
        password: true,
      },
    ]);
    expect(await readFile(file(), 'utf8')).not.toContain('canary');
    expect(await answers.get({ poolId: folder.uri, inputId: 'weather-api-key' })).toBe('canary');
    expect(service.getServer(added.id)?.state.value.kind).toBe('trust_required');
  });

  it('goes to the own file of the user, where no consent is needed', async () => {
    const details = await installer.open('com.example/remote-key');
    const params = paramsFor(installer, details, 'User: Every Folder', {
      'remote-0-header-Authorization-token': 'canary',
    });
    await installer.add(params);
    const { mcpServers } = JSON.parse(await harness.readGlobal());
    expect(mcpServers['remote-key']).toEqual({
      type: 'http',
      url: 'https://mcp.example.com/mcp',
      headers: { Authorization: 'Bearer ${input:token}' },
    });
  });

  it('is refused with a name that is taken, at the place of the name', async () => {
    const details = await installer.open('com.example/remote');
    const params = { ...paramsFor(installer, details, everybody), name: 'known' };
    const { troubles } = await installer.preview(params);
    expect(troubles).toMatchObject([{ field: 'name' }]);
    await expect(installer.add(params)).rejects.toThrow(troubles[0]?.message);
    expect((await written()).mcpServers.known.args).toEqual(['-y', '@example/notes@1.0.0']);
  });

  it('leaves no secret behind when the file cannot be written', async () => {
    const details = await installer.open('io.github.example/weather');
    const params = paramsFor(installer, details, everybody, { [key]: 'canary' });
    await writeFile(file(), '{ broken');
    await expect(installer.add(params)).rejects.toMatchObject({ code: 'config_broken' });
    expect(await answers.list()).toEqual([]);
    expect(await readFile(file(), 'utf8')).toBe('{ broken');
  });

  it('says what its container could do, and that its publisher has given it up', async () => {
    const all = await installer.open('com.example/container-all');
    const { cautions } = await installer.preview(paramsFor(installer, all, everybody));
    expect(cautions).toEqual([
      'It may run other code: --privileged, -v, /:/host, --network, host.',
      'Its container may do what the administrator of this machine may do.',
      'Its container sees every file of this machine.',
      'Its container reaches everything that this machine reaches.',
    ]);
    expect((await installer.open('com.example/old')).cautions).toEqual([
      'Its publisher says that it should not be used any more: Use com.example/both instead.',
    ]);
    expect((await installer.open('io.github.someone/borrowed')).cautions).toEqual([
      'It was published by the GitHub account someone, but its code is said to be that of example.',
    ]);
  });

  it('opens only the addresses that its entry names', async () => {
    const { id } = await installer.open('io.github.example/weather');
    expect(installer.linkOf(id, 'repository')).toBe('https://github.com/example/weather');
    expect(installer.linkOf(id, 'website')).toBe('https://weather.example/');
    expect(installer.linkOf(id, 'https://elsewhere.example')).toBeUndefined();
    expect(installer.linkOf('99', 'repository')).toBeUndefined();
  });
});

describe('a server of a link', () => {
  const token = `ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'}`;
  const linkOf = (entry: object) =>
    `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'linked', ...entry }))}`;
  const show = async (entry: object) => cardOf(await installer.read(linkOf(entry)));

  it('is shown whole, and its secret does not reach a shared file', async () => {
    const details = await show({ command: 'npx', args: ['a@1.0.0'], env: { GITHUB_TOKEN: token } });
    const params = paramsFor(installer, details, everybody);
    const preview = await installer.preview(params);
    expect(preview.lines).toContainEqual({ label: 'command', text: 'npx a@1.0.0' });
    expect(JSON.stringify([details, preview])).not.toContain(token);
    await installer.add(params);
    const text = await readFile(file(), 'utf8');
    expect(text).not.toContain(token);
    expect(JSON.parse(text).mcpServers.linked.env).toEqual({
      GITHUB_TOKEN: '${input:linked-github-token}',
    });
  });

  it('says what it reads and runs beside its program', async () => {
    const details = await show({
      command: 'sh',
      args: ['-c', 'x'],
      env: { A: '!cat a', B: '${HOME}' },
    });
    const { cautions } = await installer.preview(paramsFor(installer, details, everybody));
    expect(cautions).toEqual([
      'It reads environment variables or secrets.',
      'It runs a command to get a secret.',
      'It may run other code: -c, x.',
    ]);
  });

  it('is not added with an entry that cannot be used', async () => {
    const details = await show({ command: 'a', args: 3 });
    expect(details.ways[0]?.blocker).toMatch(/args/);
    const params = paramsFor(installer, details, everybody);
    await expect(installer.add(params)).rejects.toThrow(/args/);
  });
});

describe('a pasted text', () => {
  const token = `ghp_${'aB3dE5gH7jK9mN1pQ3rS5tU7vW9xY1zA3bC5'}`;
  const block = (entry: object, rest: object = {}) =>
    JSON.stringify({ mcpServers: { pasted: entry }, ...rest });
  const propertiesOf = (details: OfferDetails) =>
    Object.entries(details.ways[0]?.schema.properties ?? {}).map(([id, one]) => [
      id,
      (one as { title: string }).title,
    ]);

  it('is what it is, in words', async () => {
    expect(await installer.read('')).toEqual({ kind: 'empty' });
    expect(await installer.read('weather')).toEqual({ kind: 'search', text: 'weather' });
    expect(await installer.read('npx a')).toMatchObject({ what: 'A command line', isOpen: true });
    expect(await installer.read('{"command": "x" "y"}')).toMatchObject({ kind: 'wrong', at: 16 });
    expect(await installer.read('https://u:canary@a.example/')).toMatchObject({ kind: 'wrong' });
    expect(installer.describe('npx a')).toBe('A command line');
    expect(installer.describe('weather')).toBeUndefined();
    expect(installer.describe(token)).toBeUndefined();
  });

  it.each([everybody, 'Folder work: Only You', 'User: Every Folder'])(
    'asks for its secret and stores it securely, in the file of %s',
    async (place) => {
      const reading = await installer.read(block({ command: 'x', env: { API_TOKEN: token } }));
      const details = cardOf(reading);
      expect(reading).toMatchObject({ isOpen: false });
      expect(propertiesOf(details)).toEqual([['secret-env-API_TOKEN', 'API_TOKEN']]);
      expect(JSON.stringify(reading)).not.toContain(token);
      const params = paramsFor(installer, details, place);
      const preview = await installer.preview(params);
      expect(preview.text).toContain('${input:pasted-api-token}');
      expect(JSON.stringify(preview)).not.toContain(token);
      const { id } = await installer.add(params);
      const { path = '' } = installer.places.list().find((one) => one.id === params.place) ?? {};
      expect(JSON.parse(await readFile(path, 'utf8')).mcpServers.pasted.env).toEqual({
        API_TOKEN: '${input:pasted-api-token}',
      });
      const poolId = id.slice(0, id.lastIndexOf('#'));
      expect(await answers.get({ poolId, inputId: 'pasted-api-token' })).toBe(token);
    },
  );

  it('takes what is typed in the place of the secret, and leaves it in the file on request', async () => {
    const text = block({ command: 'x', args: ['--api-key', token] });
    const details = cardOf(await installer.read(text));
    const field = 'secret-args-1';
    const params = { ...paramsFor(installer, details, everybody), answers: { [field]: 'other' } };
    expect((await installer.preview({ ...params, plain: [field] })).text).not.toContain('${input');
    await installer.add({ ...params, plain: [field] });
    expect((await written()).mcpServers.pasted.args).toEqual(['--api-key', 'other']);
    expect(await answers.list()).toEqual([]);
  });

  it('asks for what is to be filled in, and for the inputs of its block', async () => {
    const entry = {
      url: 'https://<tenant>.example/mcp',
      headers: { Authorization: 'Bearer <token>', 'X-Region': '${input:region}' },
    };
    const inputs = [{ id: 'region', type: 'pickString', description: 'Region', options: ['eu'] }];
    const details = cardOf(await installer.read(block(entry, { inputs })));
    expect(propertiesOf(details)).toEqual([
      ['input-region', 'Region'],
      ['gap-headers-Authorization', 'Authorization'],
      ['gap-url', 'tenant'],
    ]);
    const empty = paramsFor(installer, details, everybody);
    expect((await installer.preview(empty)).troubles).toHaveLength(2);
    const filled = {
      'input-region': 'eu',
      'gap-headers-Authorization': 'canary',
      'gap-url': 'shop',
    };
    await installer.add({ ...empty, answers: filled });
    expect((await written()).mcpServers.pasted).toEqual({
      url: 'https://shop.example/mcp',
      headers: {
        Authorization: 'Bearer ${input:pasted-authorization}',
        'X-Region': '${input:region}',
      },
    });
    expect(await answers.get({ poolId: folder.uri, inputId: 'region' })).toBe('eu');
    expect(await answers.get({ poolId: folder.uri, inputId: 'pasted-authorization' })).toBe(
      'canary',
    );
  });

  it('says what is wrong with an entry, and bounds what it shows', async () => {
    const both = block({ command: 'x', url: 'https://a.example/' });
    expect(cardOf(await installer.read(both)).ways[0]?.blocker).toMatch(/command.*url/i);
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_item, index) => [`s${index}`, { command: 'x' }]),
    );
    const reading = await installer.read(JSON.stringify({ mcpServers: many }));
    expect(reading).toMatchObject({ what: '30 of 500 servers' });
    expect(cardOf(reading, 29).title).toBe('s29');
    expect(() => cardOf(reading, 30)).toThrow();
  });

  it('warns of what has no fixed version, and of a URL without encryption', async () => {
    const cautions = async (text: string) => {
      const details = cardOf(await installer.read(text));
      return (await installer.preview(paramsFor(installer, details, everybody))).cautions;
    };
    expect(await cautions('npx -y a')).toEqual([expect.stringContaining('no exact version')]);
    expect(await cautions('npx -y a@1.0.0')).toEqual([]);
    expect(await cautions('http://a.example/mcp')).toEqual([expect.stringContaining('http:')]);
    expect((await cautions('http://localhost:3000/mcp')).join()).not.toContain('http:');
  });
});
