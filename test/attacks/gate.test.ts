/** Ways around the consent: by the life of a server, by time, by identity, by the ways in. */
import { execFileSync } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { onceEvent } from '../../src/base/event.js';
import { serverId } from '../../src/config/definition.js';
import { createExtensionApi } from '../../src/presentation/createExtensionApi.js';
import { previewSwitches } from '../../src/presentation/switching/switchPreview.js';
import { type Attack, attackGroup } from '../helpers/attacks/attackGroup.js';
import { runCli, runEveryCommand } from '../helpers/attacks/cli.js';
import type { FileTree } from '../helpers/attacks/fileTree.js';
import type { Bait, Scene } from '../helpers/attacks/scene.js';
import { isAlive, pidOf, reach } from '../helpers/coreHarness.js';
import { createDeferred } from '../helpers/fakes/deferred.js';
import { apiParts, toolParts } from '../helpers/toolParts.js';

const config = (servers: object): FileTree => ({ '.mcp.json': { mcpServers: servers } });

function serverOf(scene: Scene, name: string) {
  const server = scene.servers.find(({ definition }) => definition.name === name);
  if (!server) {
    throw new Error(`The repository has no server ${name}`);
  }
  return server;
}

/** Consent to `agreed`, then the file becomes another one. */
function changed(what: string, after: (bait: Bait) => object): Attack {
  return {
    what,
    trust: ['consent to servers'],
    mayRun: ['agreed'],
    files: ({ ran }) => config({ agreed: ran.launch('agreed') }),
    act: async (scene) => {
      await scene.write(config(after(scene.bait)));
      await scene.service.reload();
      await scene.tryEverything();
      expect(serverOf(scene, scene.servers[0]?.definition.name ?? '').state.value).toMatchObject({
        kind: 'trust_required',
      });
    },
  };
}

interface AskingUse {
  readonly entry: (bait: Bait) => object;
  readonly use: (scene: Scene) => Promise<unknown>;
}

const start: AskingUse = {
  entry: ({ ran }) => ({ ...ran.launch('a'), env: { KEY: '${input:planted}' } }),
  use: (scene) => serverOf(scene, 'agreed').ensureConnected(),
};
const signIn: AskingUse = {
  entry: ({ ran, listener }) => ({
    url: listener.url('mcp'),
    headers: { 'x-key': '${input:planted}', 'x-other': ran.commandValue('a') },
  }),
  use: ({ service, folder }) => service.accounts.signIn(serverId(folder.uri, 'agreed')),
};

/** Does something while the user is asked for an input of the agreed server, then lets them answer. */
function whileAsked(
  what: string,
  happens: (scene: Scene) => Promise<unknown>,
  { entry, use } = start,
): Attack {
  return {
    what,
    trust: ['no consent'],
    files: (bait) => config({ agreed: entry(bait) }),
    act: async (scene) => {
      const asked = createDeferred();
      const answer = createDeferred<string>();
      scene.answerInput = () => {
        asked.resolve();
        return answer.promise;
      };
      const { trust } = scene.service;
      await trust.trustServers(scene.folder.uri, await trust.pendingConsent(scene.folder.uri));
      const used = Promise.allSettled([use(scene)]);
      await asked.promise;
      const happened = happens(scene);
      answer.resolve('answered');
      await Promise.all([happened, used]);
      await scene.service.whenStarted();
    },
  };
}

attackGroup('consent', {
  control: {
    what: 'what the user agreed to runs, also after its input was asked for',
    files: ({ ran }) =>
      config({ agreed: { ...ran.launch('agreed'), env: { KEY: '${input:planted}' } } }),
    trust: 'consent to servers',
    runs: ['agreed'],
  },
  attacks: [
    ...(['eager', 'keep-alive', 'lazy-keep-alive'] as const).map(
      (lifecycle): Attack => ({
        what: `lifecycle ${lifecycle}`,
        files: ({ ran }) => config({ a: { ...ran.launch('a'), lifecycle, directTools: true } }),
      }),
    ),
    {
      what: 'one reload after another while the file changes',
      files: ({ ran }) => config({ a: ran.launch('a') }),
      act: async (scene) => {
        for (let count = 0; count < 5; count++) {
          await scene.write(config({ a: { ...scene.ran.launch('a'), env: { N: `${count}` } } }));
          await Promise.all([scene.service.reload(), scene.service.reload()]);
        }
        await scene.tryEverything();
      },
    },
    {
      what: 'being held, watched and asked for while it may not run',
      files: ({ ran }) => config({ a: ran.launch('a') }),
      act: async (scene) => {
        const server = serverOf(scene, 'a');
        const held = server.hold('a view');
        const watched = server.watchResource('note://1', () => undefined);
        await scene.tryEverything();
        watched.dispose();
        held.dispose();
      },
    },
    changed('another command after consent', ({ ran }) => ({ agreed: ran.launch('a') })),
    changed('another argument after consent', ({ ran }) => {
      const launch = ran.launch('a');
      return { agreed: { ...launch, args: [...launch.args, '--x'] } };
    }),
    changed('a variable added after consent', ({ ran }) => ({
      agreed: { ...ran.launch('agreed'), env: { NODE_OPTIONS: `--require ${ran.path('x')}` } },
    })),
    changed('a command as a value, added after consent', ({ ran }) => ({
      agreed: { ...ran.launch('agreed'), env: { A: ran.commandValue('value') } },
    })),
    changed('another folder to run in after consent', ({ ran, outside }) => ({
      agreed: { ...ran.launch('agreed'), cwd: outside },
    })),
    changed('all of the environment after consent', ({ ran }) => ({
      agreed: { ...ran.launch('agreed'), inheritEnv: true },
    })),
    changed('a remote entry that reads a secret, after consent to a process', ({ listener }) => ({
      agreed: { url: listener.url('mcp'), headers: { A: '${PLANTED_VARIABLE}' } },
    })),
    changed('another name after consent', ({ ran }) => ({ renamed: ran.launch('agreed') })),
    {
      what: 'two agreed servers that swap what they run with a third',
      trust: ['consent to servers'],
      mayRun: ['agreed'],
      files: ({ ran }) =>
        config({ agreed: ran.launch('agreed'), other: { ...ran.launch('a'), enabled: false } }),
      act: async (scene) => {
        await scene.write(
          config({ other: scene.ran.launch('agreed'), agreed: scene.ran.launch('a') }),
        );
        await scene.service.reload();
        await scene.tryEverything();
      },
    },
    {
      what: 'a switched-off entry that is agreed to by nobody and switched on later',
      trust: ['consent to servers'],
      files: ({ ran }) => config({ a: { ...ran.launch('a'), enabled: false } }),
      act: async (scene) => {
        await scene.write(config({ a: { ...scene.ran.launch('a'), enabled: true } }));
        await scene.service.reload();
        await scene.tryEverything();
      },
    },
    {
      what: 'a change right before the process that was kept alive dies',
      trust: ['consent to servers'],
      mayRun: ['agreed'],
      files: ({ ran }) => config({ agreed: { ...ran.launch('agreed'), lifecycle: 'keep-alive' } }),
      act: async (scene) => {
        const server = serverOf(scene, 'agreed');
        await reach(server, 'connected');
        const pid = pidOf(server);
        const ended = onceEvent(server.state.onDidChange, ({ kind }) => kind === 'trust_required');
        await scene.write(
          config({ agreed: { ...scene.ran.launch('a'), lifecycle: 'keep-alive' } }),
        );
        process.kill(pid);
        await ended;
        await scene.tryEverything();
        expect(isAlive(pid)).toBe(false);
      },
    },
    whileAsked('a change of the command while the user is asked for an input', async (scene) => {
      await scene.write(config({ agreed: scene.ran.launch('b') }));
      await scene.service.reload();
    }),
    whileAsked('a revoke while the user is asked for an input', (scene) =>
      scene.service.trust.revoke(scene.folder.uri),
    ),
    whileAsked(
      'a revoke while the user who signs in is asked for an input',
      (scene) => scene.service.trust.revoke(scene.folder.uri),
      signIn,
    ),
    whileAsked(
      'Restricted Mode while the user who signs in is asked for an input',
      async (scene) => scene.core.setTrusted(false),
      signIn,
    ),
    whileAsked('Restricted Mode while the user is asked for an input', async (scene) =>
      scene.core.setTrusted(false),
    ),
    whileAsked('a closed folder while the user is asked for an input', async (scene) => {
      scene.core.removeFolder(scene.folder);
      await scene.service.reload();
    }),
    {
      what: 'a change while a command prints a value',
      trust: ['no consent'],
      files: ({ ran, folder }) =>
        config({ agreed: { ...ran.launch('a'), env: { KEY: `!cat '${folder}/pipe'` } } }),
      act: async (scene) => {
        const pipe = scene.path('pipe');
        execFileSync('mkfifo', [pipe]);
        const { trust } = scene.service;
        await trust.trustServers(scene.folder.uri, await trust.pendingConsent(scene.folder.uri));
        const used = Promise.allSettled([serverOf(scene, 'agreed').ensureConnected()]);
        // opens once the command reads
        const writer = await open(pipe, 'w');
        await scene.write(config({ agreed: scene.ran.launch('b') }));
        await scene.service.reload();
        await writer.write('printed').catch(() => undefined);
        await writer.close();
        await used;
        await scene.tryEverything();
      },
    },
    {
      what: 'the folder trust of the folder around it, beside it and of a link to it',
      trust: ['folder trust'],
      files: () => ({}),
      act: async (scene) => {
        const { ran, core } = scene;
        const inner = await scene.core.addFolder('repository/inner', { a: ran.launch('inner') });
        await core.addFolder('repository-2', { a: ran.launch('beside') });
        const dotted = pathToFileURL(`${scene.path('..')}/./repository/inner`).toString();
        await scene.service.trust.trustFolder(`${inner.uri}/`);
        await scene.service.trust.trustFolder(dotted === inner.uri ? `${dotted}/.` : dotted);
        await scene.service.reload();
        const pools = scene.service.pools.filter(({ folder }) => folder?.uri !== scene.folder.uri);
        for (const server of pools.slice(1).flatMap(({ servers }) => servers)) {
          await Promise.allSettled([server.ensureConnected(), server.restart()]);
        }
        expect(pools.slice(1).map(({ servers }) => servers[0]?.state.value.kind)).toEqual([
          'trust_required',
          'trust_required',
        ]);
      },
    },
    {
      what: 'folder trust that is given in Restricted Mode',
      trust: ['Restricted Mode'],
      files: ({ ran }) => config({ a: { ...ran.launch('a'), lifecycle: 'eager' } }),
      act: async (scene) => {
        await scene.service.trust.trustFolder(scene.folder.uri);
        await scene.tryEverything();
      },
    },
    {
      what: 'consent to one launch, handed in under the name of another',
      trust: ['no consent'],
      files: ({ ran }) => config({ agreed: ran.launch('a'), other: ran.launch('b') }),
      act: async (scene) => {
        const { trust } = scene.service;
        const [one, other] = await trust.pendingConsent(scene.folder.uri);
        if (!one || !other) {
          throw new Error('Nothing waits for consent');
        }
        await trust.trustServers(scene.folder.uri, [
          { ...one, name: 'other', serverId: other.serverId },
          { ...other, name: 'agreed', serverId: one.serverId },
        ]);
        await scene.tryEverything();
      },
    },
    {
      what: 'calls after a revoke, with the catalogue still known',
      trust: ['consent to servers'],
      mayRun: ['agreed'],
      files: ({ ran }) => config({ agreed: ran.launch('agreed') }),
      act: async (scene) => {
        const server = serverOf(scene, 'agreed');
        await server.ensureConnected();
        const pid = pidOf(server);
        await scene.service.trust.revoke(scene.folder.uri);
        await expect(server.callTool('echo', { message: 'a' })).rejects.toThrow();
        await scene.tryEverything();
        expect([isAlive(pid), server.state.value.kind]).toEqual([false, 'trust_required']);
      },
    },
    {
      what: 'a folder that is closed and opened again after a revoke',
      trust: ['no consent'],
      files: ({ ran }) => config({ a: ran.launch('a') }),
      act: async (scene) => {
        await scene.service.trust.revoke(scene.folder.uri);
        scene.core.removeFolder(scene.folder);
        await scene.service.reload();
        scene.core.restoreFolder(scene.folder);
        await scene.service.reload();
        await scene.tryEverything();
      },
    },
    {
      what: 'another extension that adds, changes and probes servers of the folder',
      files: ({ ran }) => config({ a: ran.launch('a') }),
      act: async (scene) => {
        const { service, folder, ran } = scene;
        const api = createExtensionApi(apiParts(service));
        await api.upsert(folder.uri, 'b', { ...ran.launch('b'), lifecycle: 'eager' });
        await api.upsert(folder.uri, 'a', { ...ran.launch('c'), trust: true });
        expect(await api.probe(folder.uri, 'b')).toMatchObject({ state: 'trust_required' });
        expect(await api.requestTrust(folder.uri)).toEqual({ kind: 'none' });
        await scene.tryEverything();
      },
    },
    {
      what: 'servers of the folder that are switched on together, after a look at what that would do',
      files: ({ ran }) =>
        config({
          a: { ...ran.launch('a'), enabled: false },
          b: { ...ran.launch('b'), enabled: false, lifecycle: 'eager' },
        }),
      act: async (scene) => {
        const { service } = scene;
        const { budget, switches, directTools } = toolParts();
        const parts = { service, policy: { budget, switches }, directTools };
        const wanted = service.servers
          .filter(({ definition }) => definition.scope === 'folder')
          .map(({ id }) => ({ id, isEnabled: true }));
        const { servers } = await previewSwitches(wanted, parts);
        const waits = service.trust.isWorkspaceTrusted ? 'asks' : 'restricted';
        expect(servers.map(({ effect }) => effect)).toEqual([waits, waits]);
        await service.configuration.setEnabledTogether(wanted);
        await scene.tryEverything();
      },
    },
    {
      what: 'the command line without --trust',
      trust: ['no consent', 'folder trust'],
      files: ({ ran }) => config({ a: { ...ran.launch('a'), enabled: false } }),
      act: async (scene) => {
        // consent of a window is none for the command line
        await scene.service.shutdown();
        await scene.write(
          config({ a: { ...scene.ran.launch('a'), lifecycle: 'eager', directTools: true } }),
        );
        await runEveryCommand(scene);
      },
    },
    {
      what: 'the command line with names and options inside of names of servers',
      trust: ['no consent'],
      files: ({ ran }) => config({ '--trust': ran.launch('a'), '--json': ran.launch('b') }),
      act: async (scene) => {
        await runCli(scene, 'probe', '--server', '--trust');
        await runCli(scene, 'call', '--', '--trust', 'echo', '{}');
        await runCli(scene, 'probe', '--server=--trust');
      },
    },
    {
      what: 'signing in to a remote entry that may not be reached',
      files: ({ listener }) => config({ a: { url: listener.url('mcp'), auth: 'oauth' } }),
      act: async (scene) => {
        const id = serverId(scene.folder.uri, 'a');
        const { accounts } = scene.service;
        await Promise.allSettled([
          accounts.signIn(id),
          accounts.signOut(id),
          accounts.forgetClient(id),
        ]);
      },
    },
    {
      what: 'a file that becomes a folder, a folder that becomes a file',
      files: ({ ran }) => ({
        '.mcp.json/mcp.json': { mcpServers: { a: ran.launch('a') } },
        '.pi': 'no folder',
      }),
      act: async (scene) => {
        await mkdir(scene.path('.pilot', 'mcp.json'), { recursive: true });
        await scene.tryEverything();
        expect(scene.service.pools).toHaveLength(2);
      },
    },
  ],
});
