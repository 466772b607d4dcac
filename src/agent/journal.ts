/** What Pi's session file does not say by itself: what the user decided about calls, and that the user stopped a run. */
import { isJsonObject, type JsonObject } from '../base/json.js';
import type { TranscriptInput } from './transcript.js';

/** Type of Pi's session entries that hold a {@link JournalInput}. */
export const journalEntry = 'pi-mcp.shown';

export type JournalInput = Extract<
  TranscriptInput,
  { type: 'tool_gate' | 'user_stop' | 'interrupted' | 'failure' }
>;

/** What of an input has to be kept, if anything: calls that ran as the model wrote them need no word. */
export function journalInputOf(input: TranscriptInput): JournalInput | undefined {
  switch (input.type) {
    case 'tool_gate':
      return input.gate === 'asking' || (input.gate === 'allowed' && input.args === undefined)
        ? undefined
        : input;
    case 'user_stop':
    case 'interrupted':
    case 'failure':
      return input;
    default:
      return undefined;
  }
}

/** `undefined` for data that no journal wrote. */
export function readJournal(data: unknown): JournalInput | undefined {
  if (!isJsonObject(data)) {
    return undefined;
  }
  switch (data.type) {
    case 'tool_gate':
      return readGate(data);
    case 'user_stop':
    case 'interrupted':
      return { type: data.type };
    case 'failure':
      return typeof data.text === 'string' ? { type: 'failure', text: data.text } : undefined;
    default:
      return undefined;
  }
}

function readGate({ toolCallId, gate, args }: JsonObject): JournalInput | undefined {
  return typeof toolCallId === 'string' &&
    (gate === 'allowed' || gate === 'denied' || gate === 'cancelled')
    ? { type: 'tool_gate', toolCallId, gate, ...(args !== undefined && { args }) }
    : undefined;
}
