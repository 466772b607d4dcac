// @ts-check
/**
 * A scripted model on loopback that speaks the streaming chat-completions protocol, for the sample workspace and the
 * tests. It calls tools after simple rules, and looks with ToolSearch for those that it is not offered; it knows nothing
 * and is no part of the extension.
 *
 *   node demoModel.mjs --port 4010 [--models <agent dir>/models.json]
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endServer, startServer } from '../loopback.mjs';
import { decide } from './replies.mjs';

/**
 * @typedef {import('./replies.mjs').Reply} Reply
 * @typedef {{ model: string, messages: import('./replies.mjs').Message[], tools?: { function: import('./replies.mjs').Tool }[] }} ChatRequest
 * @typedef {{ status: number, text: string, headers?: Record<string, string> }} Refusal
 * @typedef {{ refuse?: ((body: ChatRequest) => Refusal | undefined | Promise<Refusal | undefined>) | undefined, say?: ((body: ChatRequest) => string | Reply | undefined | Promise<string | Reply | undefined>) | undefined, goOn?: (() => Promise<void> | undefined) | undefined, usage: { prompt: number, cached: number } }} Script `refuse`
 *   says which requests fail, how, and when; `say` what some are answered in the place of the rules; `goOn` holds
 *   an answer after its first word; `usage` is what answers are said to have read
 * @typedef {import('node:http').IncomingMessage} IncomingMessage
 * @typedef {import('node:http').ServerResponse} ServerResponse
 */

const demoProvider = 'demo';
const demoModelId = 'demo-1';

/**
 * @param {{ port?: number, wordDelayMs?: number }} [options] `port` 0 or absent takes a free one; `wordDelayMs` is the
 *   pause between the words of a slow answer.
 * @returns `script` may be changed at any time; `requests` are the bodies received so far; `modelsJson` is the models.json that leads Pi here; `stop` and
 *   `close` are the same.
 */
export async function startDemoModel({ port = 0, wordDelayMs = 60 } = {}) {
  /** @type {ChatRequest[]} */
  const requests = [];
  /** @type {Script} */
  const script = { usage: { prompt: 1_000, cached: 0 } };
  const server = createServer((request, response) => {
    answer(request, response, { requests, wordDelayMs, script }).catch((error) => {
      response.destroy(error);
    });
  });
  const actualPort = await startServer(server, port);
  const url = `http://127.0.0.1:${actualPort}/v1`;
  const close = () => endServer(server);
  return {
    url,
    port: actualPort,
    requests,
    script,
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
 * @param {{ requests: ChatRequest[], wordDelayMs: number, script: Script }} context
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
  const { script } = context;
  const refusal = await script.refuse?.(body);
  if (refusal) {
    const { status, text, headers } = refusal;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: text } }));
    return;
  }
  const said = await script.say?.(body);
  const tools = (body.tools ?? []).map(({ function: tool }) => tool);
  const reply = typeof said === 'string' ? { text: said } : (said ?? decide(body.messages, tools));
  if (reply.status) {
    response.writeHead(reply.status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: reply.text } }));
    return;
  }
  await stream(response, reply, context, body.model);
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
 * @param {ServerResponse} response
 * @param {Reply} reply
 * @param {{ wordDelayMs: number, script: Script }} context
 * @param {string} model
 */
async function stream(response, reply, { wordDelayMs, script }, model) {
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
  let isBegun = false;
  for (const word of reply.text.split(/(?<=\s)/)) {
    if (response.destroyed) {
      return;
    }
    send({ content: word });
    if (!isBegun) {
      isBegun = true;
      await script.goOn?.();
    }
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
  const { prompt, cached } = script.usage;
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: words,
    total_tokens: prompt + words,
    prompt_tokens_details: { cached_tokens: cached },
  };
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
