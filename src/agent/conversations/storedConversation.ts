/** What the file of a conversation says, without Pi: a tree of entries, of which the last one's ancestors are shown. */
import { asString, isJsonObject, type JsonObject, parseJsonObject } from '../../base/json.js';
import { readFileLines } from '../../platform/boundedFile.js';
import {
  type CommandEnd,
  commandRole,
  readUserCommand,
  type UserCommand,
} from '../transcript/calls/userCommand.js';
import { contentText } from '../transcript/content.js';
import { userMessageView } from '../transcript/userMessage.js';
import {
  type ConversationEnd,
  endOfConversation,
  journalEntry,
  placeEntry,
} from './conversationEnd.js';

/** One thing that was said or done, oldest first. */
export type ConversationPart = PartBase &
  (
    | { readonly kind: 'request'; readonly text: string; readonly attachments: readonly string[] }
    | { readonly kind: 'answer'; readonly text: string; readonly model: string }
    | {
        readonly kind: 'call';
        /** As the model called it. */
        readonly tool: string;
        readonly args: unknown;
        /** Absent when none came. */
        readonly result?: string;
        readonly isError: boolean;
      }
    | ({ readonly kind: 'command' } & Omit<UserCommand, 'end'> & CommandEnd)
    | { readonly kind: 'summary'; readonly text: string }
  );

interface PartBase {
  /** ISO; empty when the file does not say. */
  readonly at: string;
}

export interface StoredConversation {
  /** What the user called it. */
  readonly name?: string;
  readonly parts: readonly ConversationPart[];
}

export interface ConversationSummary {
  /** What the user called it. */
  readonly name?: string;
  /** The words of the first request; empty before there is one. */
  readonly request: string;
  readonly end: ConversationEnd;
  /** The folder in which it began; absent when the file does not say. */
  readonly cwd?: string;
}

/** Bytes of a file that are read. */
const maxFileBytes = 256 * 1024 * 1024;
// one line is one entry: what has none of these is none that a summary needs
const nameMark = '"session_info"';
const requestMark = '"user"';
const messageMark = '"type":"message"';
const commandMark = `"${commandRole}"`;

/**
 * Reads every line, since a name may be the last one, and takes few of them apart. What was cut off or is not ours is
 * left out.
 * @throws Node's error when there is no such file or it may not be read.
 */
export async function readSummary(path: string): Promise<ConversationSummary> {
  let name: string | undefined;
  let request = '';
  let cwd: unknown;
  const run = new LastRun();
  for await (const line of readFileLines(path, maxFileBytes)) {
    cwd ??= parseJsonObject(line)?.cwd ?? '';
    if (line.includes(nameMark)) {
      const entry = parseJsonObject(line);
      name = entry?.type === 'session_info' ? nameOf(entry) : name;
    } else if (request === '' && line.includes(requestMark)) {
      request = requestOf(parseJsonObject(line)) ?? '';
    }
    run.add(line);
  }
  return {
    request,
    end: run.end,
    cwd: asString(cwd),
    name,
  };
}

/** What says how the last run ended: its last message, and what was noted before and after that. */
class LastRun {
  private lines: readonly { readonly line: string; readonly isMessage: boolean }[] = [];

  add(line: string): void {
    const isMessage = line.includes(messageMark);
    if (!isMessage && line.includes(placeEntry)) {
      // what was said last is not what is shown
      this.lines = [{ line, isMessage }];
      return;
    }
    if (!isMessage && !line.includes(journalEntry)) {
      return;
    }
    if (
      line.includes(commandMark) &&
      messageOf(parseJsonObject(line) ?? {})?.role === commandRole
    ) {
      // beside all runs
      return;
    }
    const isRequest = isMessage && line.includes(requestMark);
    const kept = isRequest ? [] : this.lines.filter((one) => !(isMessage && one.isMessage));
    this.lines = [...kept, { line, isMessage }];
  }

  get end(): ConversationEnd {
    return endOfConversation(this.lines.toReversed().map(({ line }) => parseJsonObject(line)));
  }
}

/** @throws Node's error when there is no such file or it may not be read. */
export async function readConversation(path: string): Promise<StoredConversation> {
  const entries = new Map</* entry id */ string, JsonObject>();
  let last: JsonObject | undefined;
  let name: string | undefined;
  for await (const line of readFileLines(path, maxFileBytes)) {
    const entry = parseJsonObject(line);
    if (entry && typeof entry.id === 'string' && entry.type !== 'session') {
      entries.set(entry.id, entry);
      last = entry;
      name = entry.type === 'session_info' ? nameOf(entry) : name;
    }
  }
  const shown: JsonObject[] = [];
  for (let entry = last; entry && shown.length < entries.size; entry = parentOf(entry, entries)) {
    shown.push(entry);
  }
  return { parts: partsOf(shown.reverse()), name };
}

function parentOf(
  { parentId }: JsonObject,
  entries: ReadonlyMap<string, JsonObject>,
): JsonObject | undefined {
  return typeof parentId === 'string' ? entries.get(parentId) : undefined;
}

function partsOf(entries: readonly JsonObject[]): readonly ConversationPart[] {
  const results = new Map(entries.flatMap(resultOf));
  return entries.flatMap((entry): readonly ConversationPart[] => {
    const at = typeof entry.timestamp === 'string' ? entry.timestamp : '';
    if (entry.type === 'compaction' && typeof entry.summary === 'string') {
      return [{ kind: 'summary', at, text: entry.summary }];
    }
    const message = messageOf(entry);
    if (message?.role === 'user') {
      const { text, attachments = [] } = userMessageView(message.content);
      return [{ kind: 'request', at, text, attachments: attachments.map(({ label }) => label) }];
    }
    if (message?.role === commandRole) {
      const { end, ...command } = readUserCommand(message);
      return [{ kind: 'command', at, ...command, ...end }];
    }
    return message?.role === 'assistant' ? answerParts(message, at, results) : [];
  });
}

function answerParts(
  { content, model }: JsonObject,
  at: string,
  results: ReadonlyMap<string, CallResult>,
): readonly ConversationPart[] {
  const text = contentText(content).trim();
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [];
  const calls = blocks.flatMap((block): readonly ConversationPart[] => {
    if (!isJsonObject(block) || block.type !== 'toolCall') {
      return [];
    }
    const result = results.get(String(block.id));
    const call = { kind: 'call', at, tool: String(block.name), args: block.arguments } as const;
    return [{ ...call, isError: false, ...result }];
  });
  return text === '' ? calls : [{ kind: 'answer', at, text, model: String(model ?? '') }, ...calls];
}

interface CallResult {
  readonly result: string;
  readonly isError: boolean;
}

function resultOf(entry: JsonObject): readonly (readonly [callId: string, CallResult])[] {
  const message = messageOf(entry);
  return message?.role === 'toolResult'
    ? [
        [
          String(message.toolCallId),
          { result: contentText(message.content), isError: message.isError === true },
        ],
      ]
    : [];
}

function messageOf({ type, message }: JsonObject): JsonObject | undefined {
  return type === 'message' && isJsonObject(message) ? message : undefined;
}

function requestOf(entry: JsonObject | undefined): string | undefined {
  const message = entry && messageOf(entry);
  return message?.role === 'user' ? userMessageView(message.content).text : undefined;
}

/** An empty name takes the name away. */
function nameOf({ name }: JsonObject): string | undefined {
  return typeof name === 'string' && name.trim() !== '' ? name : undefined;
}
