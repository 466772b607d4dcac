/** Tasks of servers whose end a stored conversation does not tell. */
import { isJsonObject, type JsonObject } from '../../../base/json.js';
import { journalEntry } from '../../conversations/conversationEnd.js';
import type { PiSessionEntry } from '../../pi/piModule.js';
import { isBackgroundNotice } from '../../transcript/content.js';
import type { TaskRef } from '../../transcript/tasks.js';
import { readJournal } from './journal.js';

type Message = Extract<PiSessionEntry, { type: 'message' }>['message'];

export interface OpenTask {
  readonly callId: string;
  readonly ref: TaskRef;
  /** Of the call, as the model made it. */
  readonly args: JsonObject;
}

/** @param entries of one conversation, oldest first */
export function openTasks(entries: readonly PiSessionEntry[]): readonly OpenTask[] {
  const tasks = new OpenTasks();
  for (const entry of entries) {
    tasks.read(entry);
  }
  return tasks.all;
}

export class OpenTasks {
  private readonly args = new Map</* call id */ string, JsonObject>();
  private readonly open = new Map</* call id */ string, OpenTask>();

  get all(): readonly OpenTask[] {
    return [...this.open.values()];
  }

  /** Oldest first. */
  read(entry: PiSessionEntry): void {
    if (entry.type === 'message') {
      this.readMessage(entry.message);
    } else if (entry.type === 'custom' && entry.customType === journalEntry) {
      const input = readJournal(entry.data);
      if (input?.type === 'tool_task' && input.ref) {
        const { toolCallId: callId, ref } = input;
        this.open.set(callId, { callId, ref, args: this.args.get(callId) ?? {} });
      } else if (input?.type === 'tool_task_end') {
        this.open.delete(input.toolCallId);
      }
    }
  }

  private readMessage(message: Message): void {
    if (message.role === 'toolResult' && !isBackgroundNotice(message)) {
      this.open.delete(message.toolCallId);
    }
    for (const block of message.role === 'assistant' ? message.content : []) {
      if (block.type === 'toolCall') {
        this.args.set(block.id, isJsonObject(block.arguments) ? block.arguments : {});
        // some providers give the same id again
        this.open.delete(block.id);
      }
    }
  }
}
