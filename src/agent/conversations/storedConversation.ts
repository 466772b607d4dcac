/** What the file of a conversation says, without Pi: a tree of entries, of which the last one's ancestors are shown. */
import { asString, type JsonObject, parseJsonObject } from '../../base/json.js';
import { readFileLines } from '../../platform/boundedFile.js';
import { type CommandEnd, commandRole, type UserCommand } from '../transcript/calls/userCommand.js';
import { contentText } from '../transcript/content.js';
import { userMessageView } from '../transcript/userMessage.js';
import { type ConversationEnd, endOfConversation } from './conversationEnd.js';
import {
  type EntryEvent,
  journalEntry,
  maxConversationBytes,
  parseStored,
  placeEntry,
  readStored,
} from './storedEntry.js';

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
  for await (const line of readFileLines(path, maxConversationBytes)) {
    cwd ??= parseJsonObject(line)?.cwd ?? '';
    if (line.includes(nameMark)) {
      const event = readLine(line);
      name = event?.kind === 'name' ? event.name : name;
    } else if (request === '' && line.includes(requestMark)) {
      const event = readLine(line);
      request = event?.kind === 'request' ? userMessageView(event.content).text : '';
    }
    run.add(line);
  }
  return { request, end: run.end, cwd: asString(cwd), name };
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
    if (line.includes(commandMark) && readLine(line)?.kind === 'command') {
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

function readLine(line: string): EntryEvent | undefined {
  return readStored(parseJsonObject(line));
}

/** @throws Node's error when there is no such file or it may not be read. */
export async function readConversation(path: string): Promise<StoredConversation> {
  const entries = new Map</* entry id */ string, JsonObject>();
  let last: JsonObject | undefined;
  for await (const line of readFileLines(path, maxConversationBytes)) {
    const entry = parseStored(line);
    if (entry) {
      entries.set(entry.id, entry);
      last = entry;
    }
  }
  const shown: JsonObject[] = [];
  for (let entry = last; entry && shown.length < entries.size; ) {
    shown.push(entry);
    entry = entries.get(asString(entry.parentId) ?? '');
  }
  return { parts: partsOf(shown.reverse().flatMap((entry) => readStored(entry) ?? [])) };
}

function partsOf(events: readonly EntryEvent[]): readonly ConversationPart[] {
  const results = new Map(
    events.flatMap((event) => (event.kind === 'result' ? [[event.callId, event] as const] : [])),
  );
  return events.flatMap((event): readonly ConversationPart[] => {
    const { kind, at } = event;
    switch (kind) {
      case 'summary':
        return [{ kind, at, text: event.text }];
      case 'request': {
        const { text, attachments = [] } = userMessageView(event.content);
        return [{ kind, at, text, attachments: attachments.map(({ label }) => label) }];
      }
      case 'command': {
        const { end, id: _, ...command } = event;
        return [{ ...command, ...end }];
      }
      case 'answer':
        return answerParts(event, results);
      default:
        return [];
    }
  });
}

function answerParts(
  { at, message, calls }: Stored<'answer'>,
  results: ReadonlyMap<string, Stored<'result'>>,
): readonly ConversationPart[] {
  const text = contentText(message.content).trim();
  const made = calls.map(({ id, tool, args }) => {
    const result = results.get(id);
    return {
      kind: 'call',
      at,
      tool,
      args,
      isError: result?.isError === true,
      result: result && contentText(result.content),
    } as const;
  });
  const answer = { kind: 'answer', at, text, model: String(message.model ?? '') } as const;
  return text === '' ? made : [answer, ...made];
}

type Stored<K extends EntryEvent['kind']> = Extract<EntryEvent, { kind: K }>;
