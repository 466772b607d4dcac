/** Small ways: what a server leaves behind, the login shell, the command line of npm and ours, the clipboard. */
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isHumanError } from '../../src/base/errors.js';
import { latestVersion } from '../../src/config/fixes/packageVersion.js';
import { lintConfig } from '../../src/config/lint/lintConfig.js';
import { lintRules } from '../../src/config/lint/lintTypes.js';
import { machineSurroundings } from '../../src/config/lint/machineSurroundings.js';
import { withSeverities } from '../../src/config/lint/severityChoices.js';
import { parseJsonDocument } from '../../src/config/parse/jsonDocument.js';
import { parseConfig } from '../../src/config/parse/parseConfig.js';
import { parsePastedServers } from '../../src/config/paste/pastedServers.js';
import { createNodeHostEnvironment } from '../../src/platform/environment/nodeHostEnvironment.js';
import { misbehaveScript } from '../fixtures/connections.js';
import { findProcesses, processMarker, waitForProcesses } from '../fixtures/processes.js';
import { attackGroup } from '../helpers/attacks/attackGroup.js';
import { runCli, runEveryCommand } from '../helpers/attacks/cli.js';
import type { FileTree } from '../helpers/attacks/fileTree.js';
import { type Bait, Scene, type Trust } from '../helpers/attacks/scene.js';

let scene: Scene;

async function open(trust: Trust, files: (bait: Bait) => FileTree): Promise<void> {
  scene = await Scene.create(trust, files);
}

const config = (servers: object): FileTree => ({ '.mcp.json': { mcpServers: servers } });

async function script(text: string, ...path: readonly string[]): Promise<string> {
  const file = join(...path);
  await mkdir(join(file, '..'), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${text}\n`);
  await chmod(file, 0o755);
  return file;
}

describe('what a server leaves behind', () => {
  let marker: string;
  const launch = () => ({
    command: process.execPath,
    args: [misbehaveScript, '--helper-detached', marker],
    env: { PI_MCP_RUN: '' },
  });

  beforeEach(() => {
    marker = processMarker();
  });

  it('control: a helper outlives the entry of the user that wants it', async () => {
    await open('no consent', () => ({}));
    await scene.core.writeGlobal({ own: launch() });
    await scene.service.reload();
    const server = scene.service.serversFor(undefined)[0];
    await server?.ensureConnected();
    await waitForProcesses(marker, 2);
    await scene.end();
    const left = await findProcesses(marker);
    expect(left).toHaveLength(1);
    process.kill(left[0] ?? 0, 'SIGKILL');
    await waitForProcesses(marker, 0);
  });

  it('ends with the consent, whatever the entry of a repository wants', async () => {
    await open('folder trust', () => config({ a: launch() }));
    await scene.servers[0]?.ensureConnected();
    await waitForProcesses(marker, 2);
    await scene.service.trust.revoke(scene.folder.uri);
    expect(await findProcesses(marker)).toEqual([]);
  });
});

describe('the login shell', () => {
  const before = process.cwd();
  afterEach(() => process.chdir(before));

  /** As a profile does that sets up whatever project it is started in. */
  async function ask(home: string): Promise<void> {
    const shell = await script('if [ -x ./setup ]; then ./setup; fi\neval "$2"', home, 'shell');
    const env = { PATH: '/usr/bin:/bin', SHELL: shell, HOME: home };
    await createNodeHostEnvironment({ env }).loginShellPath();
  }

  it('control: runs what stands in the home of the user', async () => {
    await open('no consent', () => ({}));
    const home = join(scene.core.root, 'home');
    await script(`: > '${scene.ran.path('home')}'`, home, 'setup');
    await ask(home);
    expect(await scene.ran.sprung()).toEqual(['home']);
  });

  it('does nothing: a program in the folder in which the editor or the CLI was started', async () => {
    await open('Restricted Mode', () => ({}));
    await script(`: > '${scene.ran.path('folder')}'`, scene.path('setup'));
    process.chdir(scene.path());
    await ask(join(scene.core.root, 'home'));
    expect(await scene.ran.sprung()).toEqual([]);
  });
});

describe('the command line of npm', () => {
  /** As on Windows, where npm is a script that only a shell runs. */
  async function pin(name: string): Promise<unknown> {
    await open('no consent', () => ({}));
    const bin = join(scene.core.root, 'bin');
    await script(`: > '${scene.ran.path('npm')}'; echo 1.2.3`, bin, 'npm');
    return latestVersion(
      name.replace('CANARY', scene.ran.path('injected')),
      createNodeHostEnvironment({
        homeDir: join(scene.core.root, 'home'),
        platform: 'win32',
        env: { PATH: `${bin}:/usr/bin:/bin` },
      }),
    );
  }

  it('control: npm is asked about a package', async () => {
    expect(await pin('@scope/mcp-x')).toBe('1.2.3');
    expect(await scene.ran.sprung()).toEqual(['npm']);
  });

  it.each([
    'x; : > CANARY;',
    'x`touch CANARY`',
    'x$(touch CANARY)',
    'x\ntouch CANARY\n',
    'x & touch CANARY',
  ])('does nothing: %j', async (name) => {
    await expect(pin(name)).rejects.toMatchObject({ code: 'package_name_unknown' });
    expect(await scene.ran.sprung()).toEqual([]);
  });
});

attackGroup('our command line', {
  control: {
    what: 'calls the server of the folder that was trusted for the run',
    files: ({ ran }) => config({ shared: ran.launch('theirs') }),
    act: async (opened) => {
      // what runs from here on is run by the command line
      await opened.service.shutdown();
      await opened.core.writeGlobal({ shared: opened.ran.launch('mine') });
      const called = await runCli(opened, 'call', 'shared', 'echo', '{"message":"x"}', '--trust');
      expect(called.status).toBe(0);
    },
    runs: ['theirs'],
  },
  attacks: [
    {
      what: 'an entry that stands in the way of a server of the user',
      files: ({ ran }) => config({ shared: ran.launch('theirs') }),
      mayRun: ['mine'],
      act: async (opened) => {
        await opened.service.shutdown();
        await opened.core.writeGlobal({ shared: opened.ran.launch('mine') });
        const called = await runCli(opened, 'call', 'shared', 'echo', '{"message":"x"}');
        expect(called).toMatchObject({ status: 0, errors: '' });
        expect(await opened.ran.sprung()).toEqual(['mine']);
      },
    },
    {
      what: 'a name that a terminal would obey',
      trust: ['no consent'],
      files: () =>
        config({
          'a\u001b[2J\u001b]0;x\u0007\u009b1m\u202e\r\nglobal  [stdio]  fine\n# x ![](http://127.0.0.1/)':
            {
              command: 'true',
            },
        }),
      act: async (opened) => {
        const runs = Object.values(await runEveryCommand(opened));
        const text = runs.map(({ out, errors }) => out + errors).join('');
        expect(text).toContain('\\u{1b}[2J');
        expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
        expect(text).not.toMatch(/^(global|# x)/m);
        expect(text).not.toMatch(/^##? [^`\n]*!\[\]/m);
      },
    },
  ],
});

describe('severities of a workspace', () => {
  it('do not hide what warns of the workspace', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await open('no consent', () =>
      config({ a: { command: 'npx', args: ['-y', 'p'], env: { GITHUB_TOKEN: token } } }),
    );
    const text = JSON.stringify({
      mcpServers: { a: { command: 'npx', args: ['-y', 'p'], env: { GITHUB_TOKEN: token } } },
    });
    const file = parseConfig(text, { path: scene.path('.mcp.json'), layer: 'project' });
    const { environment, folder } = scene;
    const found = await lintConfig(
      { file, document: parseJsonDocument(text), isCommitted: true },
      machineSurroundings({ environment, folder, isTrusted: true }),
    );
    const off = Object.fromEntries(Object.keys(lintRules).map((rule) => [rule, 'off'] as const));
    const codes = (user: typeof off, project: typeof off) =>
      withSeverities(found, user, project).map(({ code }) => code);
    // control: the user may hide them
    expect(codes(off, {})).toEqual([]);
    expect(codes({}, off)).toEqual(expect.arrayContaining(['literal-secret', 'unpinned-package']));
  });
});

it.each([
  'npx ${x y',
  'npx ${}',
  'npx ${x:',
  '$(touch /tmp/x)',
  'claude mcp add ${a b -- npx x',
  'code --add-mcp ${x y',
  '"',
  '{'.repeat(5000),
  'a'.repeat(100_000),
  '\ud800',
])('says what is wrong with %j on the clipboard', (text) => {
  try {
    expect(parsePastedServers(text).length).toBeGreaterThan(0);
  } catch (error) {
    expect(isHumanError(error)).toBe(true);
  }
});
