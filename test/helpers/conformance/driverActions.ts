import type { JsonObject } from '../../../src/base/json.js';
import type { McpServer } from '../../../src/mcp/mcpApi.js';

type Actions = (server: McpServer, signIn: (id: string) => Promise<void>) => Promise<void>;

/** What a user would do with the server of a scenario once it is connected. */
export function actionsFor(scenario: string, context: JsonObject): Actions {
  switch (scenario) {
    case 'tools_call':
      return call('add_numbers', { a: 5, b: 3 });
    case 'http-custom-headers':
      return async (server) => {
        const calls = context.toolCalls as readonly { name: string; arguments: JsonObject }[];
        for (const { name, arguments: args } of calls) {
          await server.callTool(name, args);
        }
      };
    case 'http-standard-headers':
      return useEverything;
    case 'json-schema-2020-12-preservation':
      return async (server) => {
        const { tools } = server.catalog.value;
        const focal = tools.find((tool) => tool.name === 'json_schema_2020_12_tool');
        await server.callTool('json_schema_echo', { schema: focal?.inputSchema });
      };
    case 'json-schema-ref-no-deref':
      // its server lists tools and answers nothing else
      return async () => undefined;
    case 'sep-2322-client-request-state':
      return interleave;
    case 'sep-2640-client-no-prefetch':
      // connecting lists them
      return async () => undefined;
    case 'sep-2640-client-verify-digest':
    case 'sep-2640-client-verify-size':
    case 'sep-2640-client-verify-frontmatter':
      return loadNone;
    default:
      return scenario.startsWith('auth/') ? callAllSigningIn : callAll;
  }
}

/** As a user who wants every skill: what was tampered with is refused. */
const loadNone: Actions = async (server) => {
  const { skills = [], notices } = server.catalog.value;
  if (skills.length === 0) {
    throw new Error(`The server has no skills: ${notices.join(' ')}`);
  }
  for (const { name } of skills) {
    const outcome = await server.loadSkill(name).catch((error: { code?: unknown }) => error.code);
    if (outcome !== 'skill_refused') {
      throw new Error(`The tampered skill ${name} was not refused`);
    }
  }
};

function call(name: string, args: JsonObject): Actions {
  return async (server) => void (await server.callTool(name, args));
}

const callAll: Actions = async (server) => {
  for (const { name } of server.catalog.value.tools) {
    await server.callTool(name, {});
  }
};

/** A server that wants a new sign-in gets one, and the call is made again. */
const callAllSigningIn: Actions = async (server, signIn) => {
  for (const { name } of server.catalog.value.tools) {
    await server.callTool(name, {}).catch(async (error: unknown) => {
      if (server.state.value.kind !== 'needs_auth') {
        throw error;
      }
      await signIn(server.id);
      await server.callTool(name, {});
    });
  }
};

const useEverything: Actions = async (server) => {
  const { tools, resources, prompts } = server.catalog.value;
  for (const { name } of tools) {
    await server.callTool(name, {});
  }
  for (const { uri } of resources) {
    await server.readResource(uri);
  }
  for (const { name } of prompts) {
    await server.getPrompt(name, {});
  }
};

/** Calls that need an answer of the user's beside one that does not. */
const interleave: Actions = async (server) => {
  const others = server.catalog.value.tools.filter(({ name }) => name !== 'test_mrtr_unrelated');
  await Promise.all([
    ...others.map(({ name }) => server.callTool(name, {})),
    server.callTool('test_mrtr_unrelated', {}),
  ]);
};
