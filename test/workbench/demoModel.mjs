/**
 * A scripted model on loopback that speaks the streaming chat-completions protocol, for the sample workspace and the
 * tests. It calls tools after simple rules, and looks with ToolSearch for those that it is not offered; it knows nothing
 * and is no part of the extension.
 *
 *   node demoModel.mjs --port 4010 [--models <agent dir>/models.json]
 */
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * @typedef {{ name: string, description?: string, parameters?: object }} Tool
 * @typedef {{ name: string, args: object }} Call
 * @typedef {{ type: string, text?: string }} Part
 * @typedef {{ role: string, content: string | Part[], tool_call_id?: string, tool_calls?: { id: string, function: { name: string } }[] }} Message
 * @typedef {{ tools: Tool[], messages: Message[], hasSearched: boolean }} Chance what can be called now, and whether the wish was searched for
 * @typedef {{ text: string, calls?: Call[], isSlow?: boolean, status?: number }} Reply
 * @typedef {{ model: string, messages: Message[], tools?: { function: Tool }[] }} ChatRequest
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 */

const demoProvider = 'demo';
const demoModelId = 'demo-1';

const searchTool = 'ToolSearch';

/**
 * @param {{ port?: number, wordDelayMs?: number }} [options] `port` 0 or absent takes a free one; `wordDelayMs` is the
 *   pause between the words of a slow answer.
 * @returns `requests` are the bodies received so far; `modelsJson` is the models.json that leads Pi here; `stop` and
 *   `close` are the same.
 */
export async function startDemoModel({ port = 0, wordDelayMs = 60 } = {}) {
  /** @type {ChatRequest[]} */
  const requests = [];
  const server = createServer((request, response) => {
    answer(request, response, { requests, wordDelayMs }).catch((error) => {
      response.destroy(error);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const actualPort = typeof address === 'object' && address ? address.port : port;
  const url = `http://127.0.0.1:${actualPort}/v1`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    url,
    port: actualPort,
    requests,
    modelsJson: demoModelsJson(url),
    close,
    stop: close,
  };
}

/**
 * The models.json that makes the demo model a provider of Pi.
 * @param {string} url
 */
function demoModelsJson(url) {
  return {
    providers: {
      [demoProvider]: {
        name: 'Demo',
        baseUrl: url,
        api: 'openai-completions',
        apiKey: 'not-a-secret',
        models: [
          {
            id: demoModelId,
            name: 'Demo (offline)',
            reasoning: false,
            input: ['text', 'image'],
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
            contextWindow: 128_000,
            maxTokens: 8_192,
          },
        ],
      },
    },
  };
}

/**
 * Writes {@link demoModelsJson} to `path`, folders included.
 * @param {string} path
 * @param {string} url
 */
export async function writeDemoModels(path, url) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(demoModelsJson(url), undefined, 2)}\n`);
}

/**
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {{ requests: ChatRequest[], wordDelayMs: number }} context
 */
async function answer(request, response, context) {
  if (request.method === 'GET' && request.url?.endsWith('/models')) {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ object: 'list', data: [{ id: demoModelId, object: 'model' }] }));
    return;
  }
  if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
    response.writeHead(404).end();
    return;
  }
  /** @type {ChatRequest} */
  const body = JSON.parse(await readAll(request));
  context.requests.push(body);
  const reply = decide(
    body.messages,
    (body.tools ?? []).map(({ function: tool }) => tool),
  );
  if (reply.status) {
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: reply.text } }));
    return;
  }
  await stream(response, reply, context.wordDelayMs, body.model);
}

/** @param {IncomingMessage} request */
async function readAll(request) {
  const chunks = [];
  for await (const chunk of request) {
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * @param {Message[]} messages
 * @param {Tool[]} tools
 * @returns {Reply}
 */
function decide(messages, tools) {
  const lastUser = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !isToolImage(content) && !isTaskResult(content),
  );
  const wish = textOf(messages[lastUser]?.content).trim();
  const following = messages.slice(lastUser + 1);
  const { results, searches } = resultsOf(following);
  if (results.length > 0) {
    return { text: summarize(results, wish, following) };
  }
  const reply = react(wish, { tools, messages, hasSearched: searches.length > 0 });
  const isNewStep = reply && !(searches.length > 0 && reply.calls?.every(isSearch));
  if (isNewStep) {
    return reply;
  }
  return { text: searches.length > 0 ? summarize(searches, wish, following) : help(tools) };
}

/**
 * Results of tools apart from what ToolSearch found.
 * @param {Message[]} messages
 */
function resultsOf(messages) {
  const searchIds = messages
    .flatMap(({ tool_calls: calls }) => calls ?? [])
    .filter((call) => isSearch(call.function))
    .map(({ id }) => id);
  const all = messages.filter(({ role }) => role === 'tool');
  return {
    results: all.filter(({ tool_call_id: id }) => !searchIds.includes(id ?? '')),
    searches: all.filter(({ tool_call_id: id }) => searchIds.includes(id ?? '')),
  };
}

/**
 * The first rule that fits and can be followed.
 * @param {string} wish
 * @param {Chance} chance
 * @returns {Reply | undefined}
 */
function react(wish, chance) {
  for (const [pattern, follow] of rules) {
    const match = pattern.exec(wish);
    const reply = match && follow(match, chance);
    if (reply) {
      return reply;
    }
  }
  return undefined;
}

/** @param {Tool} tool */
function isSearch({ name }) {
  return name === searchTool;
}

/**
 * Images of tool results travel in a user message of their own.
 * @param {Message['content']} content
 */
function isToolImage(content) {
  return (
    Array.isArray(content) &&
    content.some(({ type }) => type === 'image_url') &&
    /^(Attached image|\(see attached|$)/i.test(textOf(content))
  );
}

/**
 * Results of tasks in the background travel in user messages too.
 * @param {Message['content']} content
 */
function isTaskResult(content) {
  return textOf(content).startsWith('<mcp-task-result ');
}

/** @type {readonly (readonly [RegExp, (match: string[], chance: Chance) => Reply | undefined])[]} */
const rules = [
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
 * @param {string | undefined} name
 * @param {string | undefined} json
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
function textOf(content) {
  if (typeof content === 'string') {
    return content;
  }
  const parts = Array.isArray(content) ? content : [];
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/**
 * @param {Message[]} results
 * @param {string} wish
 * @param {Message[]} following
 */
function summarize(results, wish, following) {
  const images = following
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter(({ type }) => type === 'image_url').length;
  const quotes = results.map(({ content }) => {
    const text = textOf(content).trim() || '(no text)';
    const shown = text.length > 600 ? `${text.slice(0, 600)} …` : text;
    return ['```text', shown, '```'].join('\n');
  });
  const count = results.length === 1 ? 'The tool answered' : `**${results.length} tools** answered`;
  const seen =
    images > 0 ? `\n\nIt also returned **${images} image${images > 1 ? 's' : ''}**.` : '';
  return `${count} your request *“${wish.slice(0, 80)}”*:\n\n${quotes.join('\n\n')}${seen}`;
}

/** @param {Tool[]} tools */
function help(tools) {
  const names = tools.map(({ name }) => `\`${name}\``);
  return [
    'I am a small **scripted model** for trying things out. I understand for example:',
    '',
    '- `echo hello`',
    '- `add 2 and 3`',
    '- `show me an image`',
    '- `list files`, `read README.md`, `run date`',
    '- `tell me a long story` (then press *Stop*)',
    '',
    names.length > 0
      ? `I am offered ${names.length} tools: ${names.join(', ')}.`
      : 'I am offered no tools.',
  ].join('\n');
}

function slowText() {
  const sentence =
    'Once upon a time a server told its client one word after the other and nobody had to wait. ';
  return sentence.repeat(40).trim();
}

/**
 * @param {ServerResponse} response
 * @param {Reply} reply
 * @param {number} wordDelayMs
 * @param {string} model
 */
async function stream(response, reply, wordDelayMs, model) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const base = { id: `chatcmpl-${Date.now()}`, object: 'chat.completion.chunk', created: 0, model };
  /**
   * @param {object} delta
   * @param {string | null} finish
   */
  const send = (delta, finish = null) =>
    response.write(
      `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  send({ role: 'assistant', content: '' });
  for (const word of reply.text.split(/(?<=\s)/)) {
    if (response.destroyed) {
      return;
    }
    send({ content: word });
    if (reply.isSlow) {
      await new Promise((resolve) => setTimeout(resolve, wordDelayMs));
    }
  }
  for (const [index, { name, args }] of (reply.calls ?? []).entries()) {
    const id = `call_${Date.now().toString(36)}_${index}`;
    send({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] });
    for (const part of JSON.stringify(args).match(/.{1,12}/gs) ?? []) {
      send({ tool_calls: [{ index, function: { arguments: part } }] });
    }
  }
  send({}, reply.calls ? 'tool_calls' : 'stop');
  const words = reply.text.split(' ').length;
  const usage = { prompt_tokens: 1_000, completion_tokens: words, total_tokens: 1_000 + words };
  response.write(`data: ${JSON.stringify({ ...base, choices: [], usage })}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** @param {string} name */
function option(name) {
  const index = process.argv.indexOf(name);
  return index < 0 ? undefined : process.argv[index + 1];
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const model = await startDemoModel({ port: Number(option('--port') ?? 0) });
  const models = option('--models');
  if (models) {
    await writeDemoModels(models, model.url);
  }
  console.log(JSON.stringify({ url: model.url, port: model.port }));
}
