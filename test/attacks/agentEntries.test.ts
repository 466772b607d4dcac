/** Server entries that calls of the agent wrote, in a folder that is trusted as a whole. */
import { expect } from 'vitest';
import { onceEvent } from '../../src/base/event.js';
import { type Attack, attackGroup } from '../helpers/attacks/attackGroup.js';
import type { FileTree } from '../helpers/attacks/fileTree.js';
import type { Scene } from '../helpers/attacks/scene.js';

const config = (servers: object, others: object = {}): FileTree => ({
  '.mcp.json': { mcpServers: servers, ...others },
});

/** A call of the agent makes the files these. */
async function callWrites(scene: Scene, files: FileTree): Promise<void> {
  const ended = scene.service.trust.whileAgentActs();
  await scene.write(files);
  ended();
  await scene.service.reload();
}

const statesOf = ({ servers }: Scene) =>
  Object.fromEntries(servers.map(({ definition, state }) => [definition.name, state.value]));
const waits = { kind: 'trust_required', reason: { kind: 'agent_wrote' } };

function written(what: string, files: Attack['files'], act: Attack['act']): Attack {
  return { what, files, trust: ['folder trust'], mayRun: ['own'], ...(act && { act }) };
}

attackGroup('entries that the agent wrote', {
  control: {
    what: 'what others write runs, and what the agent wrote once the user consents to it',
    files: ({ ran }) => config({ own: ran.launch('own') }),
    act: async (scene) => {
      const { ran, service, folder } = scene;
      await scene.write(config({ own: ran.launch('own'), later: ran.launch('later') }));
      await service.reload();
      await callWrites(
        scene,
        config({ own: ran.launch('own'), later: ran.launch('later'), a: ran.launch('a') }),
      );
      await scene.tryEverything();
      expect(await ran.sprung()).toEqual(['later', 'own']);
      const waiting = await service.trust.pendingConsent(folder.uri);
      expect(waiting.map(({ name, reason }) => [name, reason.kind])).toEqual([
        ['a', 'agent_wrote'],
      ]);
      await service.trust.trustServers(folder.uri, waiting);
      await scene.tryEverything();
    },
    runs: ['own', 'later', 'a'],
  },
  attacks: [
    written(
      'an entry that starts at once, seen while the call still runs',
      ({ ran }) => config({ own: ran.launch('own') }),
      async (scene) => {
        const { service, ran } = scene;
        const ended = service.trust.whileAgentActs();
        const seen = onceEvent(service.onDidChangePools, () => scene.servers.length === 2);
        await scene.write(
          config({ own: ran.launch('own'), a: { ...ran.launch('a'), lifecycle: 'eager' } }),
        );
        await seen;
        await scene.tryEverything();
        ended();
        await scene.tryEverything();
        expect(statesOf(scene)).toMatchObject({ a: waits, own: { kind: 'connected' } });
      },
    ),
    written(
      'an entry that changes, and is changed again after the call',
      ({ ran }) => config({ own: ran.launch('own') }),
      async (scene) => {
        await callWrites(scene, config({ own: scene.ran.launch('a') }));
        await scene.tryEverything();
        await scene.write(config({ own: scene.ran.launch('own') }));
        await scene.service.reload();
        await scene.write(config({ own: scene.ran.launch('a') }));
        await scene.service.reload();
        await scene.tryEverything();
        expect(statesOf(scene)).toMatchObject({ own: waits });
      },
    ),
    written(
      'an entry that the agent switches on',
      ({ ran }) => config({ a: { ...ran.launch('a'), enabled: false } }),
      async (scene) => {
        await callWrites(scene, config({ a: scene.ran.launch('a') }));
        await scene.tryEverything();
        expect(statesOf(scene)).toMatchObject({ a: waits });
      },
    ),
    written(
      'a file that the agent switches on',
      ({ ran }) => config({ a: ran.launch('a') }, { disabled: true }),
      async (scene) => {
        await callWrites(scene, config({ a: scene.ran.launch('a') }));
        await scene.tryEverything();
        expect(statesOf(scene)).toMatchObject({ a: waits });
      },
    ),
    written(
      'a remote entry that asks nothing of the user',
      () => config({}),
      async (scene) => {
        await callWrites(scene, config({ a: { url: 'https://example.invalid/mcp' } }));
        await scene.tryEverything();
        expect(statesOf(scene)).toMatchObject({ a: waits });
      },
    ),
    written(
      'an entry of another file, by one of two calls that overlap',
      () => config({}),
      async (scene) => {
        const { trust } = scene.service;
        const ends = [trust.whileAgentActs(), trust.whileAgentActs()];
        ends[0]?.();
        await scene.service.reload();
        await scene.write({ '.pi/mcp.json': { mcpServers: { a: scene.ran.launch('a') } } });
        ends[1]?.();
        await scene.tryEverything();
        expect(statesOf(scene)).toMatchObject({ a: waits });
      },
    ),
    written(
      'an entry for which the folder is trusted again, after a revoke',
      () => config({}),
      async (scene) => {
        const { trust } = scene.service;
        await callWrites(scene, config({ a: scene.ran.launch('a') }));
        await trust.trustFolder(scene.folder.uri);
        await scene.tryEverything();
        await trust.revoke(scene.folder.uri);
        await trust.trustFolder(scene.folder.uri);
        await scene.tryEverything();
        expect(statesOf(scene)).toMatchObject({ a: waits });
      },
    ),
    written(
      'an entry in the next window',
      () => config({}),
      async (scene) => {
        await callWrites(scene, config({ a: scene.ran.launch('a') }));
        await scene.service.shutdown();
        const next = scene.core.open(undefined, { environment: scene.environment });
        try {
          await next.whenStarted();
          const [server] = next.serversFor(scene.folder.uri, 'a');
          await Promise.allSettled([server?.ensureConnected()]);
          expect(server?.state.value).toMatchObject(waits);
        } finally {
          await next.shutdown();
        }
      },
    ),
  ],
});
