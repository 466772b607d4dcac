/** Requests as Pi's own code for each kind of API makes them; nothing is sent. */
import type { Api, Model, Tool, TranscriptContext } from '@earendil-works/pi-ai';
import { stream as anthropic } from '@earendil-works/pi-ai/api/anthropic-messages';
import { stream as bedrock } from '@earendil-works/pi-ai/api/bedrock-converse-stream';
import { stream as google } from '@earendil-works/pi-ai/api/google-generative-ai';
import { stream as mistral } from '@earendil-works/pi-ai/api/mistral-conversations';
import { stream as completions } from '@earendil-works/pi-ai/api/openai-completions';
import { stream as responses } from '@earendil-works/pi-ai/api/openai-responses';
import { isJsonObject, type JsonObject } from '../../../src/base/json.js';
import type { Wire } from '../../../src/mcp/catalog/schema/wireRules.js';
import type { SentTool } from './limits.js';

type Payload = Readonly<Record<string, unknown>>;
type Stream = (
  model: never,
  context: TranscriptContext,
  options: never,
) => { result(): Promise<{ readonly errorMessage?: string }> };

interface WireApi {
  readonly wire: Wire;
  readonly stream: Stream;
  readonly model: string;
  readonly toolsIn: (payload: Payload) => readonly SentTool[];
}

export const apis = {
  'anthropic-messages': {
    wire: 'anthropic',
    stream: anthropic,
    model: 'claude-sonnet-4-5',
    toolsIn: ({ tools }) => list(tools).map((tool) => sent(tool, tool.input_schema)),
  },
  'openai-completions': {
    wire: 'openai',
    stream: completions,
    model: 'gpt-4.1',
    toolsIn: ({ tools }) =>
      list(tools).map(({ function: tool }) => sent(object(tool), object(tool).parameters)),
  },
  'openai-responses': {
    wire: 'openai',
    stream: responses,
    model: 'gpt-5',
    toolsIn: ({ tools }) => list(tools).map((tool) => sent(tool, tool.parameters)),
  },
  'google-generative-ai': {
    wire: 'gemini',
    stream: google,
    model: 'gemini-2.5-pro',
    toolsIn: ({ config }) =>
      list(object(config).tools)
        .flatMap(({ functionDeclarations }) => list(functionDeclarations))
        .map((tool) => sent(tool, tool.parametersJsonSchema)),
  },
  'bedrock-converse-stream': {
    wire: 'bedrock',
    stream: bedrock,
    model: 'amazon.nova-pro-v1:0',
    toolsIn: ({ toolConfig }) =>
      list(object(toolConfig).tools)
        .map(({ toolSpec }) => object(toolSpec))
        .map((tool) => sent(tool, object(tool.inputSchema).json)),
  },
  'mistral-conversations': {
    wire: 'mistral',
    stream: mistral,
    model: 'mistral-large-latest',
    toolsIn: ({ tools }) =>
      list(tools).map(({ function: tool }) => sent(object(tool), object(tool).parameters)),
  },
} satisfies Readonly<Record<string, WireApi>>;

export type ApiName = keyof typeof apis;
export const apiNames = Object.keys(apis) as readonly ApiName[];

/** The tools as the body of a request has them. @throws when Pi makes no request of them. */
export async function toolsOnWire(
  api: ApiName,
  tools: readonly SentTool[],
): Promise<readonly SentTool[]> {
  const { toolsIn }: WireApi = apis[api];
  return toolsIn(await requestBody(api, tools));
}

/** @throws when Pi makes no request of the tools. */
export async function requestBody(api: ApiName, tools: readonly SentTool[]): Promise<Payload> {
  const { stream, model: id }: WireApi = apis[api];
  let payload: Payload | undefined;
  const model: Partial<Model<Api>> = {
    id,
    name: id,
    api,
    provider: 'test',
    baseUrl: 'http://127.0.0.1:9',
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 100_000,
    maxTokens: 1_000,
  };
  const declared = tools.map(({ name, description, schema }) => ({
    name,
    description,
    parameters: schema as unknown as Tool['parameters'],
  }));
  const context = {
    messages: [
      { role: 'system', content: '', toolsAdded: declared, timestamp: 0 },
      { role: 'user', content: 'Hello', timestamp: 0 },
    ],
  } as unknown as TranscriptContext;
  const options = {
    apiKey: 'not-a-secret',
    bearerToken: 'not-a-secret',
    region: 'us-east-1',
    onPayload: (body: unknown) => {
      payload = object(JSON.parse(JSON.stringify(body)));
      throw new Error('not sent');
    },
  };
  const { errorMessage } = await stream(model as never, context, options as never).result();
  if (!payload) {
    throw new Error(errorMessage);
  }
  return payload;
}

function sent({ name, description }: JsonObject, schema: unknown): SentTool {
  return { name: String(name), description: String(description), schema: object(schema) };
}

function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function list(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
