/** The server that the scripted model knows how to call. */
import type { McpTool } from '../../../src/mcp/mcpTypes.js';
import { CallableServer, type CallTool } from './fakeAgentMcp.js';

export const echo: McpTool = {
  name: 'echo',
  description: 'Says it again.',
  inputSchema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: { message: { type: 'string' } },
    required: ['message'],
  },
};

export const answerEcho: CallTool = (_name, args) =>
  Promise.resolve({ content: [{ type: 'text', text: `Echo: ${args.message}` }], isError: false });

export function demoServer(call: CallTool = answerEcho, tools: readonly McpTool[] = [echo]) {
  return new CallableServer('demo', tools, call);
}

/** Tools that cost more than what may be offered directly, `echo` among them. */
export const manyTools: readonly McpTool[] = Array.from({ length: 60 }, (_, index) => ({
  ...echo,
  name: index === 0 ? 'echo' : `other_${index}`,
  description: index === 0 ? 'Echoes a message back.' : `Does thing ${index} `.repeat(12),
}));
