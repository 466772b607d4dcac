/** A scripted model on loopback that refuses requests as its provider would, in the provider's own words. */
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterEach } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/base/json.js';
import { endServer, startServer } from '../../workbench/loopback.mjs';

export const pickyApis = [
  'anthropic-messages',
  'openai-completions',
  'openai-responses',
  'google-generative-ai',
] as const;
export type PickyApi = (typeof pickyApis)[number];

export interface PickyTrouble {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface PickyModel {
  readonly url: string;
  /** Names of the tools of each request, in order. */
  readonly offers: readonly (readonly string[])[];
  /** What each request said, in order. */
  readonly bodies: readonly JsonObject[];
  /** The next requests with one of these tools are refused. */
  readonly refused: Set<string>;
  /** Characters; a request with a longer description of a tool is refused in the words of OpenAI. */
  maxDescription: number;
  /** Refuses without a word about which tool. */
  isSilent: boolean;
  /** How the next request is refused, once. */
  trouble: PickyTrouble | undefined;
  /** What it thinks before it answers. Default: nothing. */
  thought: string | undefined;
  /** The next answer breaks off with this error of the provider, once. */
  breaksOff: object | undefined;
  writeModels(path: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts one for a test, after which it is closed. */
export function usePickyModel(): (api: PickyApi) => Promise<PickyModel> {
  let open: PickyModel | undefined;
  afterEach(async () => {
    await open?.close();
    open = undefined;
  });
  return async (api) => {
    open = await startPickyModel(api);
    return open;
  };
}

async function startPickyModel(api: PickyApi): Promise<PickyModel> {
  const offers: (readonly string[])[] = [];
  const bodies: JsonObject[] = [];
  const refused = new Set<string>();
  const wire = wires[api];
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error));
  });
  const url = `http://127.0.0.1:${await startServer(server)}`;

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const body: JsonObject = JSON.parse(await readText(request));
    const tools = Array.isArray(body.tools) ? body.tools.filter(isJsonObject) : [];
    const names = tools.flatMap((tool) => wire.namesOf(tool));
    offers.push(names);
    bodies.push(body);
    const { trouble } = model;
    if (trouble) {
      model.trouble = undefined;
      const headers = { 'content-type': 'application/json', ...trouble.headers };
      response.writeHead(trouble.status, headers);
      response.end(JSON.stringify(trouble.body));
      return;
    }
    const long = tools.findIndex((tool) => descriptionOf(tool).length > model.maxDescription);
    if (long >= 0) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(tooLong(long, model.maxDescription)));
      return;
    }
    const index = names.findIndex((name) => refused.has(name));
    if (index >= 0) {
      const error = model.isSilent ? wire.silent : wire.refuse(index, names[index] ?? '');
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(JSON.stringify(error));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const events = wire.stream('All is well.', model.thought);
    const { breaksOff } = model;
    model.breaksOff = undefined;
    response.end(
      breaksOff
        ? `${events[0]}event: error\ndata: ${JSON.stringify(breaksOff)}\n\n`
        : events.join(''),
    );
  }

  const model: PickyModel = {
    url,
    offers,
    bodies,
    refused,
    isSilent: false,
    trouble: undefined,
    thought: undefined,
    breaksOff: undefined,
    maxDescription: Number.POSITIVE_INFINITY,
    writeModels: (path) =>
      writeFile(path, JSON.stringify({ providers: { picky: wire.provider(url, api) } })),
    close: () => endServer(server),
  };
  return model;
}

function descriptionOf({ function: tool }: JsonObject): string {
  return isJsonObject(tool) ? String(tool.description ?? '') : '';
}

function tooLong(index: number, limit: number) {
  const param = `tools[${index}].function.description`;
  const message = `Invalid '${param}': string too long. Expected a string with maximum length ${limit}, but got a longer one instead.`;
  return {
    error: { message, type: 'invalid_request_error', param, code: 'string_above_max_length' },
  };
}

function provider(baseUrl: string, api: PickyApi) {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const model = {
    id: 'picky-1',
    name: 'Picky',
    reasoning: true,
    input: ['text', 'image'],
    cost,
  };
  return {
    name: 'Picky',
    baseUrl,
    api,
    apiKey: 'not-a-secret',
    models: [{ ...model, contextWindow: 100_000, maxTokens: 1_000 }],
  };
}

const wires = {
  'anthropic-messages': {
    provider,
    namesOf: (tool: JsonObject) => [String(tool.name)],
    refuse: (index: number) => ({
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: `tools.${index}.custom.input_schema.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`,
      },
      request_id: 'req_1',
    }),
    silent: {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'messages: at least one is required' },
    },
    stream: (text: string, thought?: string) =>
      [
        {
          type: 'message_start',
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'picky-1',
            content: [],
            stop_reason: null,
            usage: { input_tokens: 10, output_tokens: 1 },
          },
        },
        ...(thought === undefined
          ? []
          : [
              {
                type: 'content_block_start',
                index: 0,
                content_block: { type: 'thinking', thinking: '', signature: '' },
              },
              {
                type: 'content_block_delta',
                index: 0,
                delta: { type: 'thinking_delta', thinking: thought },
              },
              {
                type: 'content_block_delta',
                index: 0,
                delta: { type: 'signature_delta', signature: 'signed' },
              },
              { type: 'content_block_stop', index: 0 },
            ]),
        { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } },
        { type: 'content_block_stop', index: 1 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
        { type: 'message_stop' },
      ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  },
  'openai-completions': {
    provider: (url: string, api: PickyApi) => provider(`${url}/v1`, api),
    namesOf: ({ function: tool }: JsonObject) => [String(isJsonObject(tool) ? tool.name : '')],
    refuse: (index: number, name: string) => ({
      error: {
        message: `Invalid schema for function '${name}': In context=('properties', 'a'), array schema missing items.`,
        type: 'invalid_request_error',
        param: `tools[${index}].function.parameters`,
        code: 'invalid_function_parameters',
      },
    }),
    silent: {
      error: { message: 'Unsupported value', type: 'invalid_request_error', param: 'temperature' },
    },
    stream: (text: string, thought?: string) =>
      [
        ...(thought === undefined
          ? []
          : [{ choices: [{ index: 0, delta: { reasoning_content: thought } }] }]),
        { choices: [{ index: 0, delta: { role: 'assistant', content: text } }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        { choices: [], usage: { prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 } },
      ]
        .map((chunk) => ({ id: '1', object: 'chat.completion.chunk', model: 'picky-1', ...chunk }))
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
        .concat('data: [DONE]\n\n'),
  },
  'openai-responses': {
    provider: (url: string, api: PickyApi) => provider(`${url}/v1`, api),
    namesOf: (tool: JsonObject) => [String(tool.name)],
    refuse: (index: number, name: string) => ({
      error: {
        message: `Invalid schema for function '${name}': In context=('properties', 'a'), array schema missing items.`,
        type: 'invalid_request_error',
        param: `tools[${index}].parameters`,
        code: 'invalid_function_parameters',
      },
    }),
    silent: {
      error: { message: 'Unsupported value', type: 'invalid_request_error', param: 'temperature' },
    },
    stream: (text: string, thought?: string) => {
      const summary = { type: 'summary_text', text: thought };
      const reasoning = {
        type: 'reasoning',
        id: 'rs_1',
        encrypted_content: 'sealed',
        summary: [summary],
      };
      const part = { type: 'output_text', text, annotations: [] };
      const item = { type: 'message', id: 'msg_1', role: 'assistant', content: [part] };
      const usage = { input_tokens: 10, output_tokens: 4, total_tokens: 14 };
      return [
        { type: 'response.created', response: { id: 'resp_1' } },
        ...(thought === undefined
          ? []
          : [
              {
                type: 'response.output_item.added',
                output_index: 0,
                item: { ...reasoning, summary: [] },
              },
              {
                type: 'response.reasoning_summary_part.added',
                item_id: 'rs_1',
                output_index: 0,
                summary_index: 0,
                part: { ...summary, text: '' },
              },
              {
                type: 'response.reasoning_summary_text.delta',
                item_id: 'rs_1',
                output_index: 0,
                summary_index: 0,
                delta: thought,
              },
              {
                type: 'response.reasoning_summary_part.done',
                item_id: 'rs_1',
                output_index: 0,
                summary_index: 0,
                part: summary,
              },
              { type: 'response.output_item.done', output_index: 0, item: reasoning },
            ]),
        {
          type: 'response.output_item.added',
          output_index: 1,
          item: { ...item, status: 'in_progress', content: [] },
        },
        { type: 'response.output_text.delta', output_index: 1, content_index: 0, delta: text },
        {
          type: 'response.output_item.done',
          output_index: 1,
          item: { ...item, status: 'completed' },
        },
        {
          type: 'response.completed',
          response: { id: 'resp_1', status: 'completed', output: [item], usage },
        },
      ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    },
  },
  'google-generative-ai': {
    provider: (url: string, api: PickyApi) => provider(`${url}/v1beta`, api),
    namesOf: ({ functionDeclarations }: JsonObject) =>
      Array.isArray(functionDeclarations)
        ? functionDeclarations.filter(isJsonObject).map((tool) => String(tool.name))
        : [],
    refuse: (index: number) => ({
      error: {
        code: 400,
        message: `* GenerateContentRequest.tools[0].function_declarations[${index}].parameters.properties[a].items: missing field.\n`,
        status: 'INVALID_ARGUMENT',
      },
    }),
    silent: {
      error: { code: 400, message: 'Invalid value at contents', status: 'INVALID_ARGUMENT' },
    },
    stream: (text: string, _thought?: string) =>
      [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }].map(
        (candidate) =>
          `data: ${JSON.stringify({
            candidates: [candidate],
            usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 4, totalTokenCount: 14 },
          })}\n\n`,
      ),
  },
};
