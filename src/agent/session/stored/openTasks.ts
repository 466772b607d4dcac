/** Tasks of servers whose end a stored conversation does not tell. */
import { asObject, type JsonObject } from '../../../base/json.js';
import { type EntryEvent, readStored } from '../../conversations/storedEntry.js';
import { isBackgroundNotice } from '../../transcript/content.js';
import type { TaskRef } from '../../transcript/tasks.js';

export interface OpenTask {
  readonly callId: string;
  readonly ref: TaskRef;
  /** Of the call, as the model made it. */
  readonly args: JsonObject;
}

/** @param entries of one conversation, oldest first */
export function openTasks(entries: readonly unknown[]): readonly OpenTask[] {
  const tasks = new OpenTasks();
  for (const event of entries.map(readStored)) {
    tasks.read(event);
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
  read(event: EntryEvent | undefined): void {
    if (event?.kind === 'result' && !isBackgroundNotice(event)) {
      this.open.delete(event.callId);
    }
    for (const { id, args } of event?.kind === 'answer' ? event.calls : []) {
      this.args.set(id, asObject(args));
      // some providers give the same id again
      this.open.delete(id);
    }
    const input = event?.kind === 'note' ? event.input : undefined;
    if (input?.type === 'tool_task' && input.ref) {
      const { toolCallId: callId, ref } = input;
      this.open.set(callId, { callId, ref, args: this.args.get(callId) ?? {} });
    } else if (input?.type === 'tool_task_end') {
      this.open.delete(input.toolCallId);
    }
  }
}
