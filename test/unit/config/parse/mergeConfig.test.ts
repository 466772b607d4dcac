import { describe, expect, it } from 'vitest';
import type { ConfigLayer } from '../../../../src/config/definition.js';
import { mergeConfig } from '../../../../src/config/parse/mergeConfig.js';
import { parseConfig } from '../../../../src/config/parse/parseConfig.js';
import { safetySettings } from '../../../../src/config/schema/settings.js';

const folder = { uri: 'file:///w', name: 'w', fsPath: '/w' };

const file = (layer: ConfigLayer, content: object) =>
  parseConfig(JSON.stringify(content), { layer, path: `/${layer}` });
const servers = (layer: ConfigLayer, entries: object) => file(layer, { mcpServers: entries });

const mergeGlobal = (...files: ReturnType<typeof file>[]) =>
  mergeConfig(files, { poolId: 'global', folder: undefined });
const mergeFolder = (outerNames: readonly string[], ...files: ReturnType<typeof file>[]) =>
  mergeConfig(files, {
    poolId: folder.uri,
    folder,
    outerOrigins: new Map(outerNames.map((name) => [name, { layer: 'user', path: '/user' }])),
  });

describe('precedence', () => {
  it("lets the user's own file for a folder win over the files in it", () => {
    const merged = mergeFolder(
      ['a'],
      servers('local', { a: { command: 'local' }, b: { enabled: false } }),
      servers('pilot-project', { a: { command: 'pilot' }, b: { command: 'theirs' } }),
    );
    expect(merged.definitions).toMatchObject([
      { name: 'a', origin: { layer: 'local' }, launch: { command: 'local' } },
      // switches alone make nobody the author of what runs
      { name: 'b', origin: { layer: 'pilot-project' }, enabled: false },
    ]);
  });

  it('lets the highest file that declares a name win whole, whatever the order of arrival', () => {
    const merged = mergeGlobal(
      servers('user', { a: { command: 'user' } }),
      servers('shared', { a: { command: 'shared', env: { X: '1' } }, b: { url: 'https://b' } }),
      servers('forge', { a: { command: 'forge' } }),
    );
    expect(merged.definitions).toMatchObject([
      {
        id: 'global#a',
        scope: 'global',
        launch: { command: 'user', env: {} },
        origin: { path: '/user' },
        hides: [{ path: '/forge' }, { path: '/shared' }],
      },
      { id: 'global#b', origin: { path: '/shared' }, hides: [] },
    ]);
  });

  it('says that a folder hides a server of the user, after what it hides of its own', () => {
    const entries = { a: { command: 'x' } };
    const merged = mergeFolder(['a'], servers('project', entries), servers('pi-project', entries));
    expect(merged.definitions[0]?.hides.map(({ path }) => path)).toEqual(['/project', '/user']);
  });

  it('lets an imported server give way to every file of our own', () => {
    const theirs = servers('import', { a: { command: 'theirs' }, b: { command: 'theirs' } });
    for (const layer of ['shared', 'forge', 'pilot', 'pi-settings', 'user'] as const) {
      const own = servers(layer, { a: { command: 'own' } });
      const merged = mergeGlobal(theirs, own).definitions;
      const launches = merged.map(({ name, launch }) => [
        name,
        launch?.kind === 'stdio' && launch.command,
      ]);
      expect(launches.sort()).toEqual([
        ['a', 'own'],
        ['b', 'theirs'],
      ]);
    }
    for (const layer of ['project', 'pi-project', 'pilot-project', 'local'] as const) {
      const own = servers(layer, { a: { command: 'own' } });
      const [first] = mergeFolder([], own, theirs).definitions;
      expect(first).toMatchObject({
        name: 'a',
        launch: { command: 'own' },
        hides: [{ path: '/import' }],
      });
    }
  });

  it('leaves out what another program only switches', () => {
    const merged = mergeGlobal(servers('import', { a: { enabled: false }, b: { command: 'b' } }));
    expect(merged.definitions.map(({ name }) => name)).toEqual(['b']);
    const [own] = mergeGlobal(servers('user', { a: { enabled: false } })).definitions;
    expect(own?.problems).toMatchObject([{ code: 'no-command-or-url' }]);
  });

  it('lets switches of a higher file change a lower entry, which stays where it is', () => {
    const merged = mergeGlobal(
      servers('shared', { a: { command: 'x', idleTimeout: 3, lifecycle: 'eager' } }),
      servers('user', { a: { enabled: false, lifecycle: 'keep-alive' } }),
    );
    expect(merged.definitions).toMatchObject([
      {
        origin: { path: '/shared' },
        enabled: false,
        launch: { command: 'x' },
        options: { idleTimeout: 3, lifecycle: 'keep-alive' },
        hides: [],
        problems: [],
      },
    ]);
  });

  it('does not let switches below a declaration reach it', () => {
    const merged = mergeGlobal(
      servers('shared', { a: { enabled: false } }),
      servers('user', { a: { command: 'x' } }),
    );
    expect(merged.definitions).toMatchObject([{ enabled: true, origin: { path: '/user' } }]);
  });

  it('makes a broken higher entry invalid rather than starting what it replaces', () => {
    const merged = mergeGlobal(
      servers('shared', { a: { command: 'x' } }),
      servers('user', { a: null }),
    );
    expect(merged.definitions[0]).toMatchObject({ launch: undefined, origin: { path: '/user' } });
  });
});

describe('entries of switches alone', () => {
  it('are invalid when nobody declares the server', () => {
    expect(
      mergeFolder([], servers('project', { a: { enabled: false } })).definitions,
    ).toMatchObject([{ name: 'a', launch: undefined, problems: [{ code: 'no-command-or-url' }] }]);
  });

  it('are handed on when the user declares the server', () => {
    const merged = mergeFolder(['a'], servers('pi-project', { a: { enabled: false } }));
    expect(merged.definitions).toEqual([]);
    expect(merged.outerOverrides).toMatchObject([
      { name: 'a', enabled: false, origin: { path: '/pi-project' } },
    ]);
  });
});

describe('settings', () => {
  it('give the defaults of the pool', () => {
    const merged = mergeGlobal(
      file('user', {
        settings: { idleTimeout: 1, toolPrefix: 'none', directTools: 'search' },
        mcpServers: {
          a: { command: 'x' },
          b: { command: 'x', idleTimeout: 5, exposure: 'direct' },
        },
      }),
    );
    expect(merged.definitions.map(({ options }) => options)).toMatchObject([
      { idleTimeout: 1, toolPrefix: 'none', exposure: 'search', lifecycle: 'lazy' },
      { idleTimeout: 5, exposure: 'direct' },
    ]);
  });

  it('say how tools reach the agent where an entry does not', () => {
    const merged = mergeGlobal(
      file('user', {
        settings: { exposure: 'proxy' },
        mcpServers: { a: { command: 'x' }, b: { command: 'x', exposure: 'auto' } },
      }),
    );
    expect(merged.definitions.map(({ options }) => options.exposure)).toEqual(['proxy', 'auto']);
  });

  it('give no idle time to an eager server, whose own entry may', () => {
    const merged = mergeGlobal(
      file('user', {
        settings: { idleTimeout: 5 },
        mcpServers: {
          eager: { command: 'x', lifecycle: 'eager' },
          timed: { command: 'x', lifecycle: 'eager', idleTimeout: 10 },
          lazy: { command: 'x' },
        },
      }),
    );
    expect(merged.definitions.map(({ options }) => options.idleTimeout)).toEqual([0, 10, 5]);
  });

  it('of the user are the defaults for the servers of a folder, under those of the folder', () => {
    const content = { settings: { idleTimeout: 2 }, mcpServers: { a: { command: 'x' } } };
    const { definitions, settings } = mergeConfig([file('project', content)], {
      poolId: folder.uri,
      folder,
      outerSettings: { idleTimeout: 1, toolPrefix: 'short' },
    });
    expect(definitions[0]?.options).toMatchObject({ idleTimeout: 2, toolPrefix: 'short' });
    expect(settings).toEqual({ idleTimeout: 2 });
  });

  const safety = `approveTools truncation samplingAutoApprove elicitationAutoApprove autoAuth
    outputGuard hostConfigDiscovery agentPluginPaths trace yolo autoApprove`.split(/\s+/);
  it('are all named here', () => {
    expect([...safetySettings].sort()).toEqual([...safety].sort());
  });

  it.each(safety)('%s counts from the user and never from a project', (name) => {
    const value = name === 'truncation' ? { enabled: false } : false;
    const content = { settings: { [name]: value, idleTimeout: 2 } };
    for (const layer of ['project', 'pi-project', 'pilot-project'] as const) {
      expect(mergeFolder([], file(layer, content)).settings).toEqual({ idleTimeout: 2 });
    }
    expect(mergeGlobal(file('user', content)).settings).toHaveProperty(name, value);
    // what the user keeps for one folder is theirs too
    expect(mergeFolder([], file('local', content)).settings).toHaveProperty(name, value);
  });

  it('do not reach the user through the prototype', () => {
    const text = '{"settings": {"__proto__": {"approveTools": false, "idleTimeout": 0}}}';
    const hostile = parseConfig(text, { layer: 'project', path: '/project' });
    const { settings } = mergeFolder([], hostile);
    expect([settings.approveTools, settings.idleTimeout]).toEqual([undefined, undefined]);
  });

  it('takes the master switch of the highest file that sets it', () => {
    const off = file('project', { disabled: true });
    expect(mergeFolder([], off).isMasterDisabled).toBe(true);
    expect(mergeFolder([], off, file('pi-project', {})).isMasterDisabled).toBe(true);
    expect(mergeFolder([], off, file('pi-project', { disabled: false })).isMasterDisabled).toBe(
      false,
    );
  });
});

describe('roots', () => {
  const rootsOf = (...files: ReturnType<typeof file>[]) => {
    const [definition] = mergeFolder([], ...files).definitions;
    return [definition?.options.roots, definition?.hasRootsOfUser ?? false];
  };
  const project = (roots?: unknown) => servers('project', { a: { command: 'x', roots } });
  const local = (roots: unknown) => servers('local', { a: { roots } });

  it('are of the user only where their own file names them', () => {
    expect(rootsOf(project())).toEqual([undefined, false]);
    expect(rootsOf(project(['/']))).toEqual([['/'], false]);
    expect(rootsOf(project(['/']), local(['/data']))).toEqual([['/data'], true]);
    expect(rootsOf(project(['/']), servers('local', { a: { debug: true } }))).toEqual([
      ['/'],
      false,
    ]);
    expect(rootsOf(servers('import', { a: { command: 'x', roots: ['/'] } }))).toEqual([
      ['/'],
      false,
    ]);
    const [mine] = mergeGlobal(servers('user', { a: { command: 'x', roots: ['/'] } })).definitions;
    expect(mine?.hasRootsOfUser).toBe(true);
  });

  it('that are none of what may stand there cost themselves', () => {
    for (const roots of ['/data', true, 3, { a: 1 }]) {
      const [entry] = project(roots).entries;
      expect(entry?.options).not.toHaveProperty('roots');
      expect(entry?.problems.map(({ message, severity }) => [severity, message])).toEqual([
        ['warning', 'a: "roots" must be "folder" | "none" | string[].'],
      ]);
    }
  });
});
