/** What Pi wants to say to a model, as the editor's models take it. */
import { asObject, type JsonObject } from '../../../base/json.js';
import { toWellFormed } from '../../../base/text/wellFormed.js';
import type { PiModelRuntime, PiModule } from '../../pi/piModule.js';
import type {
  EditorImagePart,
  EditorMessage,
  EditorPart,
  EditorRequest,
  EditorTextPart,
} from './port.js';

type PiStream = NonNullable<Parameters<PiModelRuntime['registerProvider']>[1]['streamSimple']>;
export type EditorStream = PiStream;
type PiContext = Parameters<PiStream>[1];
type StreamedModel = Parameters<PiStream>[0];
type PiMessage = PiContext['messages'][number];

/** What of Pi reads its transcripts. */
export type TranscriptReader = Pick<
  PiModule,
  'getCurrentSystemPrompt' | 'getCurrentTools' | 'transformMessages'
>;

/** What models take as the id of a call, whoever made it up. */
const maxIdLength = 64;

export function editorRequest(
  pi: TranscriptReader,
  model: StreamedModel,
  { messages }: PiContext,
  hasTools: boolean,
): EditorRequest {
  const system = pi.getCurrentSystemPrompt(messages);
  const said = messages.flatMap(withoutThoughts);
  const whole = pi.transformMessages(said, model, plainId);
  const lead: readonly EditorMessage[] =
    system === '' ? [] : [{ role: 'user', parts: [{ kind: 'text', text: system }] }];
  const tools = hasTools ? pi.getCurrentTools(messages) : [];
  return {
    messages: joinResults([...lead, ...whole.flatMap(toEditorMessage)]),
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      inputSchema: asObject(parameters),
    })),
  };
}

/** The editor has no place for what a model thought, and what another one did is not said by this one. */
function withoutThoughts(message: PiMessage): readonly PiMessage[] {
  if (message.role === 'system') {
    return [];
  }
  return message.role === 'assistant'
    ? [{ ...message, content: message.content.filter(({ type }) => type !== 'thinking') }]
    : [message];
}

function plainId(id: string): string {
  return id.replaceAll(/[^\w-]/g, '_').slice(0, maxIdLength);
}

function toEditorMessage(message: PiMessage): readonly EditorMessage[] {
  const parts = partsOf(message);
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  return parts.length > 0 ? [{ role, parts }] : [];
}

function partsOf(message: PiMessage): readonly EditorPart[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return typeof message.content === 'string'
        ? textPart(message.content)
        : message.content.flatMap(shownPart);
    case 'toolResult': {
      const parts = message.content.flatMap(shownPart);
      return [{ kind: 'result', callId: message.toolCallId, parts }];
    }
    case 'assistant':
      return message.content.flatMap(saidPart);
  }
}

function saidPart(
  block: Extract<PiMessage, { role: 'assistant' }>['content'][number],
): readonly EditorPart[] {
  switch (block.type) {
    case 'text':
      return textPart(block.text);
    case 'toolCall': {
      const { id, name } = block;
      const input: JsonObject = block.arguments;
      return [{ kind: 'call', id, name, input }];
    }
    case 'thinking':
      return [];
  }
}

type ShownBlock = Exclude<Extract<PiMessage, { role: 'user' }>['content'], string>[number];

function shownPart(block: ShownBlock): readonly (EditorTextPart | EditorImagePart)[] {
  return block.type === 'text'
    ? textPart(block.text)
    : [{ kind: 'image', mimeType: block.mimeType, data: block.data }];
}

/** Some vendors refuse a text without a character, or with half of one. */
function textPart(text: string): readonly EditorTextPart[] {
  return text === '' ? [] : [{ kind: 'text', text: toWellFormed(text) }];
}

/** Vendors want the results of one step together, right behind the calls. */
function joinResults(messages: readonly EditorMessage[]): readonly EditorMessage[] {
  const joined: EditorMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last && isResults(last) && isResults(message)) {
      joined[joined.length - 1] = { role: 'user', parts: [...last.parts, ...message.parts] };
    } else {
      joined.push(message);
    }
  }
  return joined;
}

function isResults({ parts }: EditorMessage): boolean {
  return parts.every(({ kind }) => kind === 'result');
}
