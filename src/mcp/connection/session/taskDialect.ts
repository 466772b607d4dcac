/** The two ways in which servers speak of tasks, read and written. */
import { asObject, isJsonObject, type JsonObject } from '../../../base/json.js';
import type { McpTask, McpTaskStatus } from '../../taskTypes.js';
import type { TaskRequest } from './engine.js';

/**
 * `core`: the experimental tasks of 2025-11-25, which the client asks for. `extension`: those of
 * {@link tasksExtension} beside 2026-07-28, which the server makes as it sees fit.
 */
export type TaskDialect = 'core' | 'extension';

export const tasksExtension = 'io.modelcontextprotocol/tasks';

const maxIdLength = 1000;
const maxMessageLength = 500;
const maxInputs = 20;
const statuses: readonly string[] = [
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
] satisfies readonly McpTaskStatus[];

/** What a server of either generation declares. `undefined`: it runs no tool as a task. */
export function taskDialectOf(
  capabilities: JsonObject,
  isModern: boolean,
): TaskDialect | undefined {
  if (isModern) {
    return isJsonObject(at(capabilities, 'extensions', tasksExtension)) ? 'extension' : undefined;
  }
  return at(capabilities, 'tasks', 'requests', 'tools', 'call') === undefined ? undefined : 'core';
}

/** `cancel` and `list` of the older generation; the newer one always has the first and never the second. */
export function canUseTasks(
  dialect: TaskDialect | undefined,
  capabilities: JsonObject,
  operation: 'cancel' | 'list',
): boolean {
  return dialect === 'core'
    ? at(capabilities, 'tasks', operation) !== undefined
    : dialect === 'extension' && operation === 'cancel';
}

/** The task in what `tools/call` was answered with. `undefined`: it is a result. */
export function createdTask(dialect: TaskDialect, answer: JsonObject): McpTask | undefined {
  if (dialect === 'core') {
    return parseTask(answer.task);
  }
  return answer.resultType === 'task' ? parseTask(answer) : undefined;
}

/** As lax as use allows. `undefined`: id or status cannot be read. */
export function parseTask(value: unknown): McpTask | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { taskId, status, statusMessage } = value;
  const isNamed = typeof taskId === 'string' && taskId !== '' && taskId.length <= maxIdLength;
  if (!isNamed || typeof status !== 'string' || !statuses.includes(status)) {
    return undefined;
  }
  const message = boundedText(statusMessage);
  const pollIntervalMs = milliseconds(value.pollIntervalMs ?? value.pollInterval);
  const ttlMs = milliseconds(value.ttlMs ?? value.ttl);
  return {
    taskId,
    status: status as McpTaskStatus,
    message,
    pollIntervalMs,
    ttlMs,
  };
}

/** What a task of the newer generation waits for. */
export function parseInputs(value: unknown): readonly TaskRequest[] {
  return Object.entries(asObject(value))
    .slice(0, maxInputs)
    .flatMap(([key, input]) =>
      isJsonObject(input) && typeof input.method === 'string'
        ? [{ key, method: input.method, params: asObject(input.params) }]
        : [],
    );
}

/** A text of the server in one paragraph; `undefined` when there is none. */
export function boundedText(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  const characters = [...text.slice(0, 2 * maxMessageLength)];
  return text === ''
    ? undefined
    : characters.length > maxMessageLength || text.length > 2 * maxMessageLength
      ? `${characters.slice(0, maxMessageLength - 1).join('')}…`
      : text;
}

function milliseconds(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isJsonObject(inner) ? inner[key] : undefined),
    value,
  );
}
