/** Tasks: calls of tools that a server works on while the connection may come and go. */
import type { Event } from '../base/event.js';
import type { ObservableValue } from '../base/valueEmitter.js';
import type { McpServerId } from '../config/definition.js';
import type { McpProgress, McpToolResult } from './mcpTypes.js';

export type McpTaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** A task as its server describes it. */
export interface McpTask {
  readonly taskId: string;
  readonly status: McpTaskStatus;
  /** For people; at most 500 characters. */
  readonly message?: string;
  /** Milliseconds between two questions for the status that the server asks for. */
  readonly pollIntervalMs?: number;
  /** Milliseconds from creation for which the server keeps it. Default: no limit. */
  readonly ttlMs?: number;
}

/** What is known about a task now. */
export interface McpTaskState {
  readonly status: McpTaskStatus;
  readonly message?: string;
  readonly progress?: McpProgress;
  /** The server does not answer at the moment; it is asked again. */
  readonly isUnreachable?: true;
}

/** One task that is followed to its end, over as many connections as that takes. */
export interface McpTaskRun {
  readonly serverId: McpServerId;
  readonly taskId: string;
  /** `undefined` for a task of an earlier session. */
  readonly tool: string | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** What the server wants the model to be told meanwhile; its claim, at most 500 characters. */
  readonly immediateResponse: string | undefined;
  readonly state: ObservableValue<McpTaskState>;
  /** Settles when the task has ended. @throws {HumanError} or the reason of the caller's signal. */
  readonly result: Promise<McpToolResult>;
  /** From now on the caller's signal does not end it. */
  detach(): void;
  readonly isDetached: boolean;
  /** Tells the server to stop, as far as it can. Never rejects; the state says what came of it. */
  cancel(): Promise<void>;
}

export interface McpServerTasks {
  /** Oldest first: all that run, and the latest ones that have ended. */
  readonly all: readonly McpTaskRun[];
  /** A task came, went or changed its status; its messages and progress are its own state's. */
  readonly onDidChange: Event<void>;
  /**
   * Tasks that the server keeps and nobody here follows, at most 100; empty when the server does not list tasks.
   * @throws {HumanError}
   */
  listOthers(signal?: AbortSignal): Promise<readonly McpTask[]>;
  /** Follows a task of an earlier session; it is detached. @param tool whose task it is, if that is known */
  resume(task: McpTask, tool?: string): Promise<McpTaskRun>;
  /** Leaves out a task that has ended. */
  forget(run: McpTaskRun): void;
}

export function hasEnded({ status }: { readonly status: McpTaskStatus }): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}
