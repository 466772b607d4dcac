import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installedVersion, npmViewArguments } from '../../../../src/config/fixes/packageVersion.js';
import { projectPackages } from '../../../../src/config/language/projectPackages.js';
import { createNodeHostEnvironment } from '../../../../src/platform/environment/nodeHostEnvironment.js';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pi-mcp-packages-'));
});

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function write(path: string, content: unknown): Promise<void> {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
}

describe('projectPackages', () => {
  it('offers declared and installed packages that are MCP servers', async () => {
    await write('package.json', {
      dependencies: { 'mcp-notes': '^1.0.0', lodash: '4' },
      devDependencies: { '@acme/mcp-client': '1' },
    });
    await write('node_modules/@modelcontextprotocol/server-memory/package.json', {
      name: '@modelcontextprotocol/server-memory',
      version: '1.2.3',
      bin: { 'mcp-server-memory': 'index.js' },
    });
    // a library has nothing that could be run
    await write('node_modules/@acme/mcp-client/package.json', {
      name: '@acme/mcp-client',
      version: '1.0.0',
    });
    expect(await projectPackages(root)).toEqual([
      {
        name: 'memory',
        packageName: '@modelcontextprotocol/server-memory',
        entry: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory@1.2.3'] },
      },
      {
        name: 'notes',
        packageName: 'mcp-notes',
        entry: { command: 'npx', args: ['-y', 'mcp-notes'] },
      },
    ]);
  });

  it('finds nothing in a folder without packages', async () => {
    expect(await projectPackages(join(root, 'nowhere'))).toEqual([]);
  });
});

describe('npmViewArguments', () => {
  it.each(['mcp-x', '@scope/mcp.x', '~x', '_x'])('asks for %s', (name) => {
    expect(npmViewArguments(name)).toEqual(['view', `${name}@latest`, 'version']);
  });

  it.each([
    'x&calc',
    'x|calc',
    'x^',
    'x%PATH%',
    'x"y',
    'x y',
    'x\ny',
    'x;y',
    'x$(y)',
    '--registry=http://evil',
    '-x',
    '@a/-x/../y',
    '../x',
    'http://evil/x',
    'x@y',
    'x'.repeat(215),
    '',
  ])('puts nothing into a command line that is no name: %j', (name) => {
    expect(() => npmViewArguments(name)).toThrow(
      expect.objectContaining({ code: 'package_name_unknown' }),
    );
  });
});

describe('installedVersion', () => {
  it('takes the version of the nearest folder above, else none', async () => {
    await write('node_modules/mcp-x/package.json', { name: 'mcp-x', version: '4.5.6' });
    const environment = createNodeHostEnvironment({ homeDir: root, env: {} });
    const inside = join(root, 'a', 'b');
    expect(await installedVersion('mcp-x', 'mcp-x', inside, environment)).toBe('4.5.6');
    expect(await installedVersion('mcp-y', 'mcp-y', inside, environment)).toBeUndefined();
    // as for an entry of a folder that nobody consented to
    const within = join(root, 'a');
    expect(await installedVersion('mcp-x', 'mcp-x', inside, environment, within)).toBeUndefined();
  });
});
