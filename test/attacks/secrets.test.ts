/** Secrets in every place where a user keeps them, servers that repeat them, and every surface at once. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Bait, Scene } from '../helpers/attacks/scene.js';
import { findSecrets } from '../helpers/attacks/secrets.js';
import { allServers, errorText, filesIn, surfacesOf } from '../helpers/attacks/surfaces.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';
import { repository } from '../workbench/paths.mjs';

const harnessWith = useAgentHarness();

function leaky(...args: readonly string[]) {
  const script = join(repository, 'test/fixtures/servers/leaky.mjs');
  return {
    command: process.execPath,
    args: [script, '--token', '${PLANTED_VARIABLE}', ...args],
    env: { SECRET: '${PLANTED_TOKEN}' },
  };
}

/** A server of each kind of failure, and good ones. */
function servers({ listener, outside }: Bait): object {
  const key = { headers: { Authorization: 'Bearer ${PLANTED_TOKEN}' } };
  return {
    'visible-good': leaky(),
    'visible-input': { ...leaky(), env: { SECRET: '${input:planted}' } },
    'visible-printed': { ...leaky(), env: { SECRET: `!cat '${outside}/home/.ssh/id_planted'` } },
    'visible-exit': leaky('--exit'),
    'visible-refuse': leaky('--refuse'),
    'visible-garbage': leaky('--garbage'),
    'visible-hang': { ...leaky('--hang'), startupTimeoutMs: 1000 },
    'visible-missing': { command: 'visible-none', args: ['--api-key', '${PLANTED_TOKEN}'] },
    'visible-secret-name': { command: '${PLANTED_TOKEN}' },
    'visible-folder': { ...leaky(), cwd: `${outside}/none-\${PLANTED_TOKEN}` },
    'visible-command': {
      ...leaky(),
      env: { SECRET: `!cat '${outside}/home/.ssh/id_planted'; exit 3` },
    },
    'visible-unset': { ...leaky(), env: { SECRET: '${PLANTED_TOKEN}${NOT_SET}' } },
    'visible-no-address': { url: '${PLANTED_TOKEN}' },
    'visible-401': { url: listener.url('visible-401'), ...key },
    'visible-403': { url: listener.url('visible-403'), bearerToken: '${input:planted}' },
    'visible-500': { url: listener.url('visible-500?token=${PLANTED_VARIABLE}'), ...key },
    'visible-redirect': { url: listener.url('visible-redirect'), ...key },
    'visible-no-mcp': { url: listener.url('visible-no-mcp'), ...key },
    'visible-unreachable': { url: 'http://127.0.0.1:1/?api_key=${PLANTED_VARIABLE}', ...key },
  };
}

/** Answers every request with what it was sent. */
function repeatAll({ listener }: Scene): void {
  listener.answer = ({ path, headers }, response) => {
    const words = `visible ${headers.authorization} ${path}`;
    const status =
      { '/visible-401': 401, '/visible-403': 403, '/visible-no-mcp': 200 }[path] ?? 500;
    if (path.startsWith('/visible-redirect')) {
      const key = encodeURIComponent(headers.authorization ?? '');
      response.writeHead(302, { location: `http://127.0.0.1:1/?k=${key}` }).end(words);
      return;
    }
    response.writeHead(status, { 'content-type': 'text/plain' }).end(words);
  };
}

it('shows none of them on any surface', async () => {
  const scene = await Scene.create('no consent', (bait) => ({
    '.mcp.json': { mcpServers: servers(bait) },
  }));
  repeatAll(scene);
  const { service, secrets } = scene;
  const literal = secrets.values.global;
  await scene.core.writeGlobal({
    'visible-literal': {
      ...leaky('--password', literal),
      env: { SECRET: literal, DB_PASSWORD: literal },
    },
    'visible-literal-http': {
      url: `http://user:${encodeURIComponent(literal)}@127.0.0.1:1/?token=${encodeURIComponent(literal)}`,
      headers: { 'X-Api-Key': literal },
      oauth: { clientId: 'visible', clientSecret: literal },
    },
  });
  await service.reload();
  const waiting = await service.trust.pendingConsent(scene.folder.uri);
  await service.trust.trustFolder(scene.folder.uri);
  const errors: string[] = [];
  for (const server of allServers(service)) {
    await server.ensureConnected().catch((error: unknown) => errors.push(errorText(error)));
    for (const tool of ['refuse', 'speak']) {
      await server.callTool(tool, {}).catch((error: unknown) => errors.push(errorText(error)));
    }
  }
  const surfaces = {
    'consent prompt': JSON.stringify(waiting),
    ...(await surfacesOf(scene)),
    errors: errors.join('\n'),
    ...(await agentTexts(scene)),
  };
  const empty = Object.entries(surfaces).filter(([, text]) => !text.includes('visible'));
  expect(empty.map(([name]) => name)).toEqual([]);
  expect(findSecrets(surfaces, secrets.values)).toEqual([]);
});

/** A conversation in which the model calls a tool of a server that repeats its secrets. */
async function agentTexts({ service }: Scene): Promise<Record<string, string>> {
  const h = await harnessWith({ service });
  h.defaultMode.set('runFreely');
  await h.panel.prompt('call visible_literal__refuse {}');
  await h.untilDone();
  await h.panel.prompt('call visible_literal__speak {}');
  await h.untilDone();
  return {
    'requests to the model': JSON.stringify(h.demo.requests),
    'agent page': JSON.stringify(h.panel.snapshot()),
    'files of the agent': await filesIn(h.root),
  };
}
