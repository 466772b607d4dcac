/** What an entry in the file of a conversation says. Any version, program or hand may have written it: all who read entries read them here. */
import {
  asList,
  asObject,
  asString,
  isJsonObject,
  isTexts,
  type JsonObject,
  parseJsonObject,
} from '../../base/json.js';
import type { PiMessage } from '../pi/piModule.js';
import {
  type CommandEnd,
  commandRole,
  readUserCommand,
  type UserCommand,
} from '../transcript/calls/userCommand.js';
import { type JournalInput, readJournal } from './journal.js';

/** Type of Pi's session entries in which we keep what Pi itself does not. */
export const journalEntry = 'pi-mcp.shown';

/** Type of those that say where the user went in the conversation, and how what was said up to there had ended. */
export const placeEntry = 'pi-mcp.place';

/** Bytes of a file that are read. */
export const maxConversationBytes = 256 * 1024 * 1024;

type AssistantMessage = Extract<PiMessage, { role: 'assistant' }>;

interface StoredCall {
  readonly id: string;
  /** As the model called it. */
  readonly tool: string;
  readonly args: unknown;
}

type StoredMessage =
  | { readonly kind: 'request'; readonly content: unknown }
  | {
      readonly kind: 'answer';
      readonly message: AssistantMessage;
      readonly calls: readonly StoredCall[];
    }
  | {
      readonly kind: 'result';
      readonly callId: string;
      readonly tool: string;
      readonly isError: boolean;
      readonly content: unknown;
      readonly details: unknown;
    }
  | ({ readonly kind: 'command'; readonly end: CommandEnd } & Omit<UserCommand, 'end'>)
  /** Of a Pi extension. */
  | { readonly kind: 'other' };

type StoredOther =
  | { readonly kind: 'summary'; readonly text: string; readonly tokensBefore: number }
  | { readonly kind: 'note'; readonly input: JournalInput }
  /** The user went there; `isCut`: more had been said after it. */
  | { readonly kind: 'place'; readonly isCut: boolean; readonly end: unknown }
  /** What the user called the conversation; an empty name takes the name away. */
  | { readonly kind: 'name'; readonly name: string | undefined };

export type EntryEvent = (StoredMessage | StoredOther) & {
  readonly id: string;
  /** ISO; empty when the file does not say. */
  readonly at: string;
};

type StoredEntry = JsonObject & { readonly id: string };

/** The entry of a line; `undefined` for the head of the file, and for what is none. */
export function parseStored(line: string): StoredEntry | undefined {
  const isEntry = (value: JsonObject | undefined): value is StoredEntry =>
    typeof value?.id === 'string' && value.type !== 'session';
  const value = parseJsonObject(line);
  return isEntry(value) ? value : undefined;
}

/** `undefined` for what says nothing that is shown. */
export function readStored(value: unknown): EntryEvent | undefined {
  const entry = asObject(value);
  const event = entry.type === 'message' ? readMessage(asObject(entry.message)) : readOther(entry);
  return event && { ...event, id: asString(entry.id) ?? '', at: asString(entry.timestamp) ?? '' };
}

function readMessage(message: JsonObject): StoredMessage {
  const { role, content, toolCallId, toolName, isError, details } = message;
  switch (role) {
    case 'user':
      return { kind: 'request', content };
    case 'assistant':
      return readAnswer(message);
    case 'toolResult': {
      const callId = asString(toolCallId) ?? '';
      const tool = asString(toolName) ?? '';
      return { kind: 'result', callId, tool, isError: isError === true, content, details };
    }
    case commandRole:
      return { kind: 'command', ...readUserCommand(message) };
    default:
      return { kind: 'other' };
  }
}

function readAnswer(message: JsonObject): StoredMessage {
  const content = asList(message.content).filter(isBlock);
  const calls = content.flatMap(({ type, id, name, arguments: args }) =>
    type === 'toolCall' ? [{ id: String(id), tool: String(name), args }] : [],
  );
  const shown = { ...message, content, errorMessage: asString(message.errorMessage) };
  return { kind: 'answer', message: shown as unknown as AssistantMessage, calls };
}

/** One that can be shown. */
function isBlock(value: unknown): value is JsonObject {
  return isJsonObject(value) && (value.type !== 'toolCall' || isTexts([value.id, value.name]));
}

function readOther({ type, customType, data, ...entry }: JsonObject): StoredOther | undefined {
  if (type === 'compaction') {
    const { summary, tokensBefore } = entry;
    const tokens = typeof tokensBefore === 'number' ? tokensBefore : 0;
    return { kind: 'summary', text: asString(summary) ?? '', tokensBefore: tokens };
  }
  if (type === 'session_info') {
    const name = asString(entry.name);
    return { kind: 'name', name: name?.trim() ? name : undefined };
  }
  if (type === 'custom' && customType === placeEntry) {
    const { isCut, end } = asObject(data);
    return { kind: 'place', isCut: isCut === true, end };
  }
  const input = type === 'custom' && customType === journalEntry ? readJournal(data) : undefined;
  return input && { kind: 'note', input };
}
