/** What a manifest comes to, as the form and the entry have it. */
import { describe, expect, it } from 'vitest';
import { bundleWay } from '../../../src/mcp/bundles/bundleWay.js';
import { readManifest } from '../../../src/mcp/bundles/manifest.js';
import { checkAnswers, installEntry } from '../../../src/mcp/registry/installEntry.js';
import { manifest } from '../../helpers/bundles.js';

const places = { folder: '/bundles/notes', homeDir: '/home/dev', platform: 'linux' } as const;

function read(about: object) {
  return readManifest(JSON.stringify(about), 'linux');
}

function withConfig(config: object, options: object = {}, rest: object = {}) {
  const server = { type: 'node', entry_point: 'server/index.mjs', mcp_config: config };
  return read({ ...manifest, server, user_config: options, ...rest });
}

describe('a manifest', () => {
  it.each(['0.1', '0.2', '0.3', '0.4'])('of version %s is read', (version) => {
    expect(read({ ...manifest, manifest_version: version })).toMatchObject({ name: 'notes' });
  });

  it('may name its version as it was called before', () => {
    const { manifest_version: _version, ...older } = manifest;
    expect(read({ ...older, dxt_version: '0.1' })).toMatchObject({ title: 'Notes' });
  });

  it.each([
    ['its version', { manifest_version: '0.5' }, 'manifest_version'],
    ['its name', { name: '' }, '"name"'],
    ['its author', { author: 'Example' }, '"author"'],
    ['its kind', { server: { ...manifest.server, type: 'uv' } }, '"server.type"'],
    ['its program', { server: { ...manifest.server, mcp_config: {} } }, 'mcp_config.command'],
    ['a bound', { user_config: { a: { type: 'number', max: '9' } } }, '"user_config.a.max"'],
    ['a question', { user_config: { a: { type: 'secret' } } }, '"user_config.a.type"'],
    [
      'a variable',
      { server: { ...manifest.server, mcp_config: { command: 'a', env: { '=': 'b' } } } },
      'env',
    ],
    ['a long text', { description: 'x'.repeat(5_000) }, '"description"'],
  ])('whose %s is wrong is refused by name', (_what, change, named) => {
    expect(() => read({ ...manifest, ...change })).toThrow(named);
  });

  it('is refused when it is no JSON', () => {
    expect(() => readManifest('{', 'linux')).toThrow('"manifest.json" is missing');
  });

  it('may leave out how uv starts it', () => {
    const server = { type: 'uv', entry_point: 'src/server.py' };
    const way = bundleWay(read({ ...manifest, manifest_version: '0.4', server }), places);
    expect(installEntry(way, {}).entry).toEqual({
      command: 'uv',
      args: ['run', '--directory', '/bundles/notes', '/bundles/notes/src/server.py'],
    });
  });
});

it('takes no number out of the bounds of its manifest', () => {
  const option = { type: 'number', title: 'Depth', description: '', min: 1, max: 9 };
  const about = withConfig({ command: 'a', args: ['${user_config.depth}'] }, { depth: option });
  const way = bundleWay(about, places);
  const said = (answer: string) =>
    checkAnswers(way, { 'option-depth': answer }).map(({ message }) => message);
  expect(said('0.5')).toEqual(['This must be ≥ 1.']);
  expect(said('10')).toEqual(['This must be ≤ 9.']);
  expect([...said('1'), ...said('9')]).toEqual([]);
  // of a text nothing is too large
  const text = withConfig(
    { command: 'a', args: ['${user_config.depth}'] },
    { depth: { ...option, type: 'string' } },
  );
  expect(checkAnswers(bundleWay(text, places), { 'option-depth': '10' })).toEqual([]);
});

describe('what a bundle runs', () => {
  it('has its own folder, places of the user, and answers', () => {
    const way = bundleWay(read(manifest), places);
    expect(way.fields).toMatchObject([
      {
        id: 'option-folders',
        default: '/home/dev/notes\n/home/dev/more',
        isRepeated: true,
        isSecret: false,
      },
      { id: 'option-api_key', isSecret: true, isRequired: true, isRepeated: false },
    ]);
    const answers = { 'option-api_key': 'canary', 'option-folders': '/a\n/b' };
    expect(installEntry(way, answers)).toMatchObject({
      entry: {
        command: process.execPath,
        args: ['/bundles/notes/server/index.mjs', '/a', '/b'],
        env: { API_KEY: '${input:api-key}' },
      },
      secrets: [{ inputId: 'api-key', value: 'canary' }],
    });
  });

  it('is what the system needs', () => {
    const config = {
      command: 'other',
      platform_overrides: { linux: { command: '${__dirname}/bin/tool', args: ['--linux'] } },
    };
    expect(installEntry(bundleWay(withConfig(config), places), {}).entry).toEqual({
      command: '/bundles/notes/bin/tool',
      args: ['--linux'],
    });
  });

  it('leaves out a flag whose value nobody gave', () => {
    const config = { command: 'a', args: ['--level', '${user_config.level}', 'server/index.mjs'] };
    const way = bundleWay(
      withConfig(config, { level: { type: 'string', title: 'Level' } }),
      places,
    );
    const path = '/bundles/notes/server/index.mjs';
    expect(installEntry(way, {}).entry.args).toEqual([path]);
    expect(installEntry(way, { 'option-level': '2' }).entry.args).toEqual(['--level', '2', path]);
  });

  it('asks for nothing that is not used', () => {
    const way = bundleWay(
      withConfig({ command: 'a' }, { b: { type: 'string', title: 'B' } }),
      places,
    );
    expect(way.fields).toEqual([]);
  });

  it('is not added on another system', () => {
    const about = withConfig({ command: 'a' }, {}, { compatibility: { platforms: ['win32'] } });
    expect(bundleWay(about, places).blocker).toBe('It runs on win32 only, and this is linux.');
  });

  it.each([
    ['a variable of the user', { command: 'a', args: ['${HOME_TOKEN}'] }],
    ['a variable of the environment', { command: 'a', env: { A: '{env:B}' } }],
    ['a variable that an answer completes', { command: 'a', args: ['{env${user_config.rest}'] }],
    ['a command as a value', { command: 'a', env: { A: '!touch x' } }],
    ['a command as a program', { command: '!touch x' }],
    ['what nobody sees', { command: 'a', args: ['\u202Ex'] }],
  ])('cannot be %s', (_what, config) => {
    const options = { rest: { type: 'string', title: 'Rest', default: ':HOME}' } };
    expect(bundleWay(withConfig(config, options), places).blocker).toMatch(/more than text/);
  });
});
