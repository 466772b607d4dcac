// @ts-check
/** What the demo model understands. */

/**
 * @typedef {import('./replies.mjs').Chance} Chance
 * @typedef {import('./replies.mjs').Message} Message
 * @typedef {import('./replies.mjs').Reply} Reply
 */

export const searchTool = 'ToolSearch';

/** @type {readonly (readonly [RegExp, (match: string[], chance: Chance) => Reply | undefined])[]} */
export const rules = [
  // how Pi asks for the summary of a conversation
  [
    /^(?:# Conversation\n|<conversation>)/,
    () => ({ text: '## Goal\n\nThe user tried the tools of the sample.' }),
  ],
  [/^call\s+(\w+)\s+(\{.*\})$/is, ([, name, json], chance) => callTool(chance, name, json)],
  [
    /^news\b/i,
    (_, { messages }) => ({
      text: messages
        .map(({ content }) => textOf(content))
        .filter((text) => text.startsWith('<mcp-task-result '))
        .map((text) => `In the background: ${text.replace(/^<[^>]*>|<[^>]*>$/g, '').trim()}`)
        .concat('No more news.')
        .join('\n\n'),
    }),
  ],
  [
    /\bresearch\s+(\w+)/i,
    ([, topic], chance) =>
      call(chance, /simulate_research_query$/, { topic }) ??
      search(chance, 'research a topic from many sources'),
  ],
  [
    /^refuse\s+(\w+)/i,
    ([, name], { tools }) => {
      const tool = tools.find((candidate) => candidate.name.endsWith(`__${name}`));
      return tool
        ? { status: 400, text: `Invalid schema for function '${tool.name}': asked to refuse it.` }
        : { text: `I go on without ${name}.` };
    },
  ],
  [/^fail\b.*?(\d{3})/i, ([, status]) => ({ status: Number(status), text: 'Asked to fail' })],
  [
    /\b(?:bash|run)\b:?\s+(.+)/is,
    ([, command], chance) => call(chance, /^bash$/, { command: command?.replace(/^`|`$/g, '') }),
  ],
  [
    /\becho\s+(.+)/is,
    ([, message], chance) =>
      callEach(chance, /__echo$|^echo$/, message, 'echo') ?? search(chance, 'echo a message back'),
  ],
  [
    /\b(?:add|sum)\b\D*(-?\d+)\D+?(-?\d+)/i,
    ([, a, b], chance) =>
      call(chance, /__(get_sum|add)$/, { a: Number(a), b: Number(b) }) ??
      search(chance, 'sum of two numbers'),
  ],
  [
    /\bimage\b|\bpicture\b/i,
    (_, chance) =>
      call(chance, /get_tiny_image$/, {}) ?? search(chance, 'get an image of the MCP logo'),
  ],
  [
    /\bremember\s+(.+)/is,
    ([, fact], chance) =>
      call(chance, /__create_entities$/, {
        entities: [{ name: 'note', entityType: 'note', observations: [fact] }],
      }) ?? search(chance, 'create entities in the knowledge graph'),
  ],
  [
    /\blist\b.*\bfiles?\b|\bls\b/i,
    (_, chance) =>
      call(chance, /^ls$/, { path: '.' }) ??
      call(chance, /__list_directory$/, { path: '.' }) ??
      search(chance, 'list the files of a directory'),
  ],
  [/\bread\s+(\S+)/i, ([, path], chance) => call(chance, /^read$/, { path: trimName(path) })],
  [
    /\bwrite\s+(\S+)\s+(.+)/is,
    ([, path, content], chance) => call(chance, /^write$/, { path: trimName(path), content }),
  ],
  [
    /\bprogress\b|\bwait\b/i,
    (_, chance) =>
      call(chance, /long_running_operation$/, { duration: 2, steps: 4 }) ??
      search(chance, 'long running operation with progress'),
  ],
  [
    /\bthrice\s+(\w+)/i,
    ([, name], chance) => thrice(call(chance, new RegExp(`^(?:.*__)?${name}$`), {})),
  ],
  [
    /\bboth\s+(\w+)\s+and\s+(\w+)/i,
    ([, one, other], chance) => both(callTool(chance, one), callTool(chance, other)),
  ],
  [
    /\b(?:call|use)\s+([A-Za-z0-9_]+)\s*(\{.*\})?/is,
    ([, name, json], chance) => callTool(chance, name, json),
  ],
  [/\bslow\b|\blong\b|\bstory\b/i, () => ({ text: slowText(), isSlow: true })],
];

/**
 * @param {Chance} chance
 * @param {string} [name]
 * @param {string} [json]
 */
function callTool(chance, name = '', json) {
  return (
    call(chance, new RegExp(`^(?:.*__)?${name}$`), parse(json)) ??
    search(chance, name.includes('__') ? `select:${name}` : name.replaceAll('_', ' '))
  );
}

/**
 * @param {Chance} chance
 * @param {RegExp} name
 * @param {object[]} args of each call
 * @returns {Reply | undefined}
 */
function call({ tools }, name, ...args) {
  const tool = tools.find((candidate) => name.test(candidate.name));
  return (
    tool && {
      text: `I will use \`${tool.name}\`.`,
      calls: args.map((one) => ({ name: tool.name, args: one })),
    }
  );
}

/**
 * Several calls at once when the wish names them: `echo a and echo b`.
 * @param {Chance} chance
 * @param {RegExp} name
 * @param {string | undefined} messages
 * @param {string} splitOn
 */
function callEach(chance, name, messages = '', splitOn) {
  const parts = messages.split(new RegExp(`\\s+and\\s+${splitOn}\\s+`, 'i'));
  return call(chance, name, ...parts.map((message) => ({ message })));
}

/**
 * Looks once for a tool that is not offered yet.
 * @param {Chance} chance
 * @param {string} query
 * @returns {Reply | undefined}
 */
function search(chance, query) {
  const found = chance.hasSearched
    ? undefined
    : call(chance, new RegExp(`^${searchTool}$`), { query });
  return found && { ...found, text: 'I will look for a tool that can do this.' };
}

/** @param {Reply | undefined} reply */
function thrice(reply) {
  const [one] = reply?.calls ?? [];
  return reply && one && { ...reply, calls: [one, one, one] };
}

/**
 * @param {Reply | undefined} reply
 * @param {Reply | undefined} other
 */
function both(reply, other) {
  return reply && other && { ...reply, calls: [...(reply.calls ?? []), ...(other.calls ?? [])] };
}

/** @param {string | undefined} json */
function parse(json) {
  try {
    return JSON.parse(json ?? '{}');
  } catch {
    // the rule's regular expression may have caught a sentence instead of JSON
    return {};
  }
}

/** @param {string | undefined} path */
function trimName(path = '') {
  return path.replace(/^["'`]|["'`.,!?]+$/g, '');
}

/**
 * @param {Message['content'] | undefined} content
 * @returns {string}
 */
export function textOf(content) {
  if (typeof content === 'string') {
    return content;
  }
  const parts = Array.isArray(content) ? content : [];
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

function slowText() {
  const sentence =
    'Once upon a time a server told its client one word after the other and nobody had to wait. ';
  return sentence.repeat(40).trim();
}
