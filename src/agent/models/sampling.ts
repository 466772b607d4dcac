/** Answers what servers ask of a model with a model of Pi. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { asObject, isJsonObject, type JsonObject } from '../../base/json.js';
import { readImage } from '../../base/pictures/imageHeader.js';
import type { ParameterNames } from '../../mcp/catalog/schema/parameterNames.js';
import { makeSound } from '../../mcp/catalog/schema/soundSchema.js';
import { describeTool, makeWireSchema } from '../../mcp/catalog/schema/wireSchema.js';
import type {
  SamplingAnswer,
  SamplingRequest,
} from '../../mcp/connection/session/clientFeatures.js';
import { emptyAnswer } from '../context/answers.js';
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
  const tools = new OfferedTools(request.tools);
  const answer = await runtime.completeSimple(model, toContext(request, model, tools), {
    signal,
    maxTokens: Math.min(maxTokens, model.maxTokens),
    temperature,
    toolChoice: toolChoice?.mode === 'none' ? 'none' : undefined,
  });
  signal.throwIfAborted();
  if (answer.stopReason === 'error' || answer.stopReason === 'aborted') {
    throw new HumanError(
      'sampling_failed',
      l10n.t('The model gave no answer: {0}', answer.errorMessage ?? l10n.t('no reason given')),
      { remedy: l10n.t('Choose a model in the Pi Agent panel.') },
    );
  }
  return toAnswer(answer, tools);
}

/** The tools of one request, as every provider takes them. */
class OfferedTools {
  readonly definitions: readonly PiTools[number][];
  private readonly names = new Map</* tool */ string, ParameterNames>();
  /** Of the calls so far. */
  private readonly called = new Map</* tool use id */ string, /* tool */ string>();

  constructor(tools: readonly JsonObject[]) {
    this.definitions = tools.map((tool) => {
      const name = String(tool.name);
      const wire = makeWireSchema(makeSound(tool.inputSchema));
      const text = typeof tool.description === 'string' ? tool.description : '';
      const { description, schema } = describeTool(text, wire);
      this.names.set(name, wire.names);
      // Pi takes any JSON schema; its type is that of one schema library
      return { name, description, parameters: schema as PiTools[number]['parameters'] };
    });
  }

  nameOf(callId: string): string {
    return this.called.get(callId) ?? '';
  }

  /** A call that the model made before. */
  recall(callId: string, tool: string, input: JsonObject): JsonObject {
    this.called.set(callId, tool);
    return this.names.get(tool)?.toModel(input) ?? input;
  }

  /** What the model calls the tool with, for the server. */
  inputFor(tool: string, args: JsonObject): JsonObject {
    return this.names.get(tool)?.toServer(args) ?? args;
  }
}

function toContext(request: SamplingRequest, model: PiModel, tools: OfferedTools): PiContext {
  const { definitions } = tools;
  return {
    systemPrompt: request.systemPrompt,
    messages: request.messages.flatMap((message) => toMessages(message, model, tools)),
    tools: definitions.length > 0 ? [...definitions] : undefined,
  };
}

function toMessages(message: JsonObject, model: PiModel, tools: OfferedTools): PiMessage[] {
  const blocks = blocksOf(message.content);
  return message.role === 'assistant'
    ? [toAssistantMessage(blocks, model, tools)]
    : toUserMessages(blocks, tools);
}

/** Results of tools are messages of their own for Pi. */
function toUserMessages(blocks: readonly JsonObject[], tools: OfferedTools): PiMessage[] {
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block): PiMessageOf<'toolResult'> => {
      const id = String(block.toolUseId);
      return {
        role: 'toolResult',
        toolCallId: id,
        toolName: tools.nameOf(id),
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
  tools: OfferedTools,
): PiMessageOf<'assistant'> {
  const content = blocks.flatMap((block): PiMessageOf<'assistant'>['content'] => {
    if (block.type === 'text') {
      return [{ type: 'text', text: String(block.text) }];
    }
    if (block.type !== 'tool_use') {
      return [];
    }
    const [id, name] = [String(block.id), String(block.name)];
    const input = tools.recall(id, name, asObject(block.input));
    type Call = Extract<PiMessageOf<'assistant'>['content'][number], { type: 'toolCall' }>;
    return [{ type: 'toolCall', id, name, arguments: input as Call['arguments'] }];
  });
  return {
    ...emptyAnswer(model),
    content,
    stopReason: content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop',
    timestamp: 0,
  };
}

function toUserBlock(block: JsonObject): UserBlock[] {
  const { type, text, data } = block;
  if (type === 'text') {
    return [{ type: 'text', text: String(text) }];
  }
  const image = type === 'image' ? readImage(data) : undefined;
  return image
    ? [{ type: 'image', ...image }]
    : [{ type: 'text', text: `[${String(type)} that this model cannot read]` }];
}

function toAnswer(answer: PiAnswer, tools: OfferedTools): SamplingAnswer {
  const text = answer.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const calls = answer.content.flatMap((block) =>
    block.type === 'toolCall'
      ? [
          {
            type: 'tool_use',
            id: block.id,
            name: block.name,
            input: tools.inputFor(block.name, block.arguments),
          },
        ]
      : [],
  );
  const textBlock = { type: 'text', text: text.join('\n') };
  const hasText = textBlock.text !== '' || calls.length === 0;
  return {
    model: answer.responseModel ?? answer.model,
    // servers that offered no tools may know only of a single block
    content:
      tools.definitions.length > 0 && calls.length > 0
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
  return [content].flat().filter(isJsonObject);
}
