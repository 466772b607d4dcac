/**
 * The client that the official suite tests: the product's own core, configured by a file as a user would, with a
 * browser that follows redirects by itself. Usage: driver <server URL>; the suite sets the environment.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../../src/base/json.js';
import { globalPoolId, serverId } from '../../../src/config/definition.js';
import { loadEngine } from '../../../src/mcp/connection/engineSelection.js';
import type {
  ElicitationContent,
  ElicitationField,
} from '../../../src/mcp/connection/reading/elicitationForm.js';
import type { McpServer } from '../../../src/mcp/mcpApi.js';
import { LoopbackPrompt } from '../../../src/mcp/oauth/loopbackPrompt.js';
import { createWindowlessCore } from '../windowlessCore.js';
import { actionsFor } from './driverActions.js';
import { entryFor } from './driverEntry.js';

const isVerbose = process.env.DRIVER_LOG !== undefined;
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as JsonObject;
const protocolVersion = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION;
const logger = {
  log: (level: string, message: string) =>
    isVerbose ? console.error(`${level} ${message}`) : undefined,
};

async function main(url: string): Promise<void> {
  const homeDir = await mkdtemp(join(tmpdir(), 'pi-mcp-conformance-'));
  const file = join(homeDir, '.pi/agent/mcp.json');
  await mkdir(dirname(file), { recursive: true });
  const entry = entryFor(scenario, { url, context, protocolVersion });
  await writeFile(file, JSON.stringify({ mcpServers: { tested: entry } }));
  const core = createWindowlessCore({
    homeDir,
    loggers: { forServer: () => logger, main: logger },
    engine: loadEngine,
    startPolicy: 'manual',
    isTrafficTraced: () => isVerbose,
    authorizationPrompt: () => new LoopbackPrompt({ confirm: async () => true, openUrl: visit }),
    reviewSkill: async () => true,
    features: () => ({
      loadsSkills: true,
      elicit: async (request) => ({
        action: 'accept',
        content: request.kind === 'form' ? defaultsOf(request.fields) : {},
      }),
      sample: async () => ({ model: 'none', content: { type: 'text', text: 'An answer.' } }),
    }),
  });
  try {
    await core.whenStarted();
    const server = core.getServer(serverId(globalPoolId, 'tested'));
    if (!server) {
      throw new Error('The entry was not read');
    }
    await connect(server, (id) => core.accounts.signIn(id));
    await actionsFor(scenario, context)(server, (id) => core.accounts.signIn(id));
  } finally {
    await core.shutdown();
    await rm(homeDir, { recursive: true, force: true });
  }
}

/** As a user who leaves a form as it is. */
function defaultsOf(fields: readonly ElicitationField[]): ElicitationContent {
  return Object.fromEntries(
    fields.flatMap(({ name, defaultValue }) =>
      defaultValue === undefined ? [] : [[name, defaultValue as string]],
    ),
  );
}

/** As a user: use the server, sign in when it says so. */
async function connect(server: McpServer, signIn: (id: string) => Promise<void>): Promise<void> {
  await server.ensureConnected().catch(async (error: unknown) => {
    if (server.state.value.kind !== 'needs_auth') {
      throw error;
    }
    await signIn(server.id);
    await server.ensureConnected();
  });
}

/** A browser in which the user is signed in and agrees to everything. */
async function visit(url: URL): Promise<void> {
  const answer = await fetch(url, { redirect: 'manual' });
  const location = answer.headers.get('location');
  if (location === null) {
    throw new Error(`The authorization server answered with HTTP ${answer.status}`);
  }
  await (await fetch(location)).text();
}

main(process.argv[2] ?? '').catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
