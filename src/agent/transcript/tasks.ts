/** How the panel shows calls that run as tasks, also after the run that made them. */
import * as l10n from '@vscode/l10n';
import type { NamedTool } from '../../mcp/catalog/toolNames.js';
import { taskProgress } from '../../mcp/tasks/taskText.js';
import { hasEnded, type McpTaskState } from '../../mcp/taskTypes.js';
import type { TranscriptEntry } from '../../protocol/agentProtocol.js';
import { extrasOf, resultBlocks } from './content.js';

/** Where the task of a call can be found again. */
export interface TaskRef extends NamedTool {
  /** Of the server's definition; see `hashOf`. */
  readonly launch: string;
  readonly taskId: string;
  /** What the model calls it, once it is in the background. */
  readonly label?: string;
}

export type TaskInput =
  /** A call has become a task, or its task has changed. */
  | {
      readonly type: 'tool_task';
      readonly toolCallId: string;
      readonly state: McpTaskState;
      readonly isDetached: boolean;
      /** With the first news of a task, and when it goes into the background. */
      readonly ref?: TaskRef;
    }
  /** A task in the background has ended. */
  | {
      readonly type: 'tool_task_end';
      readonly toolCallId: string;
      readonly status: 'done' | 'failed';
      /** As Pi knows results of tools. */
      readonly result: unknown;
    }
  /** Nobody follows the tasks of the conversation any more. */
  | {
      readonly type: 'tasks_lost';
      /** Ids of calls whose tasks are followed again. */
      readonly except?: ReadonlySet<string>;
    };

type ToolEntry = Extract<TranscriptEntry, { kind: 'tool' }>;

/** The entry of a call after news of its task. */
export function showTask(
  entry: ToolEntry,
  input: Exclude<TaskInput, { type: 'tasks_lost' }>,
): ToolEntry {
  if (input.type === 'tool_task_end') {
    const { progress: _, task: __, ...rest } = entry;
    return {
      ...rest,
      status: input.status,
      result: resultBlocks(input.result),
      ...extrasOf(input.result, input.toolCallId),
    };
  }
  const { state, isDetached, toolCallId: callId } = input;
  return hasEnded(state)
    ? entry
    : {
        ...entry,
        ...(isDetached ? { status: 'background', result: [] } : {}),
        progress: taskProgress(state),
        task: { callId, isDetached },
      };
}

/** A card that nothing will finish. */
export function loseTask(entry: TranscriptEntry): TranscriptEntry {
  if (entry.kind !== 'tool' || entry.status !== 'background') {
    return entry;
  }
  const { progress: _, task: __, ...rest } = entry;
  const text = l10n.t(
    'The conversation was closed before the task ended. "Show Tasks…" lists what still runs.',
  );
  return { ...rest, status: 'failed', result: [{ kind: 'text', text }] };
}
