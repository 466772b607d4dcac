import type { McpTool } from '../../src/mcp/mcpTypes.js';
import { SeededRandom } from './seededRandom.js';

const verbs = 'get list create update delete search archive export import merge'.split(' ');
const nouns =
  'invoice customer order shipment project ticket calendar contact deployment dashboard report alert branch document message'.split(
    ' ',
  );
const traits = 'draft public archived shared pending recent nested linked signed remote'.split(' ');
const parameters = 'id name query limit cursor status owner labels since format'.split(' ');

export interface GeneratedServer {
  readonly name: string;
  readonly tools: readonly McpTool[];
}

/** Tools of the size that real ones have on average without their outliers: about 400 characters of JSON. */
export function generateServers(
  serverCount: number,
  toolsPerServer: number,
): readonly GeneratedServer[] {
  const random = new SeededRandom(7);
  const pick = (list: readonly string[]) => random.pick(list);
  return Array.from({ length: serverCount }, (_, server) => ({
    name: `${pick(nouns)}-${server}`,
    tools: Array.from({ length: toolsPerServer }, (_, number) => {
      const [verb, noun, trait] = [pick(verbs), pick(nouns), pick(traits)];
      const names = [pick(parameters), pick(parameters)];
      return {
        name: `${verb}_${trait}_${noun}_${number}`,
        description: `${verb[0]?.toUpperCase()}${verb.slice(1)} the ${trait} ${noun} of a workspace and return its ${pick(parameters)}. Requires access to the ${pick(nouns)}.`,
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(
            names.map((name) => [
              name,
              { type: 'string', description: `The ${name} of the ${noun}` },
            ]),
          ),
          required: names.slice(0, 1),
        },
      };
    }),
  }));
}
