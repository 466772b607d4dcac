/** Answers what servers ask of a model with a model of Pi. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import type {
  SamplingAnswer,
  SamplingRequest,
} from '../../mcp/connection/session/clientFeatures.js';
import type { PiModel, PiModelRuntime } from '../pi/piModule.js';

type PiContext = Parameters<PiModelRuntime['completeSimple']>[1];
type PiMessage = PiContext['messages'][number];
type PiMessageOf<R extends PiMessage['role']> = Extract<PiMessage, { readonly role: R }>;
type PiAnswer = Awaited<ReturnType<PiModelRuntime['completeSimple']>>;
type PiTools = NonNullable<PiContext['tools']>;
type UserBlock = Exclude<PiMessageOf<'user'>['content'], string>[number];

/** @throws {HumanError} when the model gives no answer; the signal's reason when it aborts. */
export async function sampleWith(
  runtime: PiModelRuntime,
  model: PiModel,
  request: SamplingRequest,
  signal: AbortSignal,
): Promise<SamplingAnswer> {
  const { maxTokens, temperature, toolChoice } = request;
  const answer = await runtime.completeSimple(model, toContext(request, model), {
    signal,
    maxTokens: Math.min(maxTokens, model.maxTokens),
    ...(temperature === undefined ? {} : { temperature }),
    ...(toolChoice?.mode === 'none' ? { toolChoice: 'none' } : {}),
  });
  signal.throwIfAborted();
  if (answer.stopReason === 'error' || answer.stopReason === 'aborted') {
    throw new HumanError(
      'sampling_failed',
      l10n.t('The model gave no answer: {0}', answer.errorMessage ?? l10n.t('no reason given')),
      { remedy: l10n.t('Choose another model in the Pi Agent panel.') },
    );
  }
  return toAnswer(answer, request);
}

function toContext(request: SamplingRequest, model: PiModel): PiContext {
  const toolNames = new Map</* tool use id */ string, string>();
  return {
    ...(request.systemPrompt === undefined ? {} : { systemPrompt: request.systemPrompt }),
    messages: request.messages.flatMap((message) => toMessages(message, model, toolNames)),
    ...(request.tools.length > 0 ? { tools: request.tools.map(toTool) } : {}),
  };
}

function toTool(tool: JsonObject): PiTools[number] {
  return {
    name: String(tool.name),
    description: typeof tool.description === 'string' ? tool.description : '',
    // Pi takes any JSON schema; its type is that of one schema library
    parameters: (isJsonObject(tool.inputSchema)
      ? tool.inputSchema
      : { type: 'object' }) as PiTools[number]['parameters'],
  };
}

function toMessages(
  message: JsonObject,
  model: PiModel,
  toolNames: Map<string, string>,
): PiMessage[] {
  const blocks = blocksOf(message.content);
  return message.role === 'assistant'
    ? [toAssistantMessage(blocks, model, toolNames)]
    : toUserMessages(blocks, toolNames);
}

/** Results of tools are messages of their own for Pi. */
function toUserMessages(
  blocks: readonly JsonObject[],
  toolNames: ReadonlyMap<string, string>,
): PiMessage[] {
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block): PiMessageOf<'toolResult'> => {
      const id = String(block.toolUseId);
      return {
        role: 'toolResult',
        toolCallId: id,
        toolName: toolNames.get(id) ?? '',
        content: blocksOf(block.content).flatMap(toUserBlock),
        isError: block.isError === true,
        timestamp: 0,
      };
    });
  const content = blocks.filter(({ type }) => type !== 'tool_result').flatMap(toUserBlock);
  return content.length > 0 ? [...results, { role: 'user', content, timestamp: 0 }] : results;
}

function toAssistantMessage(
  blocks: readonly JsonObject[],
  model: PiModel,
  toolNames: Map<string, string>,
): PiMessageOf<'assistant'> {
  const content = blocks.flatMap((block): PiMessageOf<'assistant'>['content'] => {
    if (block.type === 'text') {
      return [{ type: 'text', text: String(block.text) }];
    }
    if (block.type !== 'tool_use') {
      return [];
    }
    const [id, name] = [String(block.id), String(block.name)];
    toolNames.set(id, name);
    const input = isJsonObject(block.input) ? block.input : {};
    type Call = Extract<PiMessageOf<'assistant'>['content'][number], { type: 'toolCall' }>;
    return [{ type: 'toolCall', id, name, arguments: input as Call['arguments'] }];
  });
  return {
    role: 'assistant',
    content,
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage: noUsage,
    stopReason: content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop',
    timestamp: 0,
  };
}

const noUsage: PiMessageOf<'assistant'>['usage'] = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

function toUserBlock(block: JsonObject): UserBlock[] {
  const { type, text, data, mimeType } = block;
  if (type === 'text') {
    return [{ type: 'text', text: String(text) }];
  }
  return type === 'image' && typeof data === 'string' && typeof mimeType === 'string'
    ? [{ type: 'image', data, mimeType }]
    : [{ type: 'text', text: `[${String(type)} that this model cannot read]` }];
}

function toAnswer(answer: PiAnswer, { tools }: SamplingRequest): SamplingAnswer {
  const text = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const calls = answer.content.flatMap((block) =>
    block.type === 'toolCall'
      ? [{ type: 'tool_use', id: block.id, name: block.name, input: block.arguments }]
      : [],
  );
  const textBlock = { type: 'text', text: text.join('\n') };
  const hasText = textBlock.text !== '' || calls.length === 0;
  return {
    model: answer.responseModel ?? answer.model,
    // servers that offered no tools may know only of a single block
    content:
      tools.length > 0 && calls.length > 0
        ? [...(hasText ? [textBlock] : []), ...calls]
        : textBlock,
    stopReason: stopReasons[answer.stopReason] ?? 'endTurn',
  };
}

const stopReasons: Readonly<Record<string, string>> = {
  stop: 'endTurn',
  length: 'maxTokens',
  toolUse: 'toolUse',
};

function blocksOf(content: unknown): readonly JsonObject[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.filter(isJsonObject);
}
