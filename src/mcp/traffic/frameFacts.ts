/** Reads off a JSON-RPC message what it has to do with others. Takes any shape: servers write what they like. */
import { createHash } from 'node:crypto';
import { asList, asObject, defined, isJsonObject, type JsonObject } from '../../base/json.js';
import type { MaskText } from '../../config/secrets/secretMask.js';
import type { FrameFacts, FrameId } from '../trafficTypes.js';

/** Characters of each text. */
const maxText = 300;
const maxInputs = 20;
const relatedTaskKey = 'io.modelcontextprotocol/related-task';

export function frameFacts(message: JsonObject, mask: MaskText): FrameFacts {
  const { method, params, result, error } = message;
  const read = (value: unknown) => textOf(value, mask);
  const id = idOf(message.id, mask);
  const facts: FrameFacts =
    typeof method === 'string'
      ? {
          method: read(method) ?? '',
          ...paramFacts(method, asObject(params), mask),
        }
      : isJsonObject(error)
        ? errorFacts(error, mask)
        : isJsonObject(result)
          ? resultFacts(result, mask)
          : {};
  return id === undefined ? facts : { id, ...facts };
}

function paramFacts(method: string, params: JsonObject, mask: MaskText): FrameFacts {
  const meta = asObject(params._meta);
  const isProgress = method === 'notifications/progress';
  const related = asObject(meta[relatedTaskKey]);
  return defined({
    target: targetOf(method, params, mask),
    progressToken: idOf(isProgress ? params.progressToken : meta.progressToken, mask),
    progress: isProgress ? progressOf(params, mask) : undefined,
    cancels: method === 'notifications/cancelled' ? idOf(params.requestId, mask) : undefined,
    taskId: textOf(params.taskId ?? related.taskId, mask),
    taskStatus: textOf(params.status, mask),
    elicitationId: textOf(params.elicitationId, mask),
    state: stateOf(params.requestState),
    inputs: keysOf(params.inputResponses, mask),
  });
}

function resultFacts(result: JsonObject, mask: MaskText): FrameFacts {
  const task = isJsonObject(result.task) ? result.task : result;
  const isTask = isJsonObject(result.task) || result.resultType === 'task';
  const asks = result.resultType === 'input_required';
  return defined({
    isToolError: result.isError === true ? (true as const) : undefined,
    taskId: textOf(task.taskId, mask),
    taskStatus: textOf(task.status, mask),
    startsTask: isTask && typeof task.taskId === 'string' ? (true as const) : undefined,
    asks: asks ? (true as const) : undefined,
    state: stateOf(result.requestState),
    inputs: asks ? keysOf(result.inputRequests, mask) : undefined,
  });
}

function errorFacts(error: JsonObject, mask: MaskText): FrameFacts {
  const data = asObject(error.data);
  const [first] = asList(data.elicitations);
  return defined({
    error: {
      code: typeof error.code === 'number' ? error.code : undefined,
      message: textOf(error.message, mask) ?? '',
    },
    elicitationId: isJsonObject(first) ? textOf(first.elicitationId, mask) : undefined,
  });
}

function targetOf(method: string, params: JsonObject, mask: MaskText): string | undefined {
  const ref = asObject(params.ref);
  switch (method) {
    case 'completion/complete':
      return textOf(ref.name ?? ref.uri, mask);
    case 'elicitation/create':
    case 'notifications/message':
      return textOf(params.message ?? params.data, mask);
    case 'logging/setLevel':
      return textOf(params.level, mask);
    default:
      return textOf(params.name ?? params.uri, mask);
  }
}

function progressOf({ progress, total, message }: JsonObject, mask: MaskText): string | undefined {
  const parts = [
    typeof progress === 'number' ? String(progress) : '',
    typeof total === 'number' ? `/${total}` : '',
    typeof message === 'string' ? ` ${textOf(message, mask)}` : '',
  ];
  return parts.join('').trim() || undefined;
}

/** Short enough to be kept, and different where states differ: they are often secrets, which only have to be told apart. */
function stateOf(state: unknown): string | undefined {
  return typeof state === 'string'
    ? createHash('sha256').update(state).digest('hex').slice(0, 16)
    : undefined;
}

function keysOf(value: unknown, mask: MaskText): readonly string[] | undefined {
  return isJsonObject(value)
    ? Object.keys(value)
        .slice(0, maxInputs)
        .map((key) => textOf(key, mask) ?? '')
    : undefined;
}

function idOf(value: unknown, mask: MaskText): FrameId | undefined {
  return typeof value === 'number' ? value : textOf(value, mask);
}

function textOf(value: unknown, mask: MaskText): string | undefined {
  return typeof value === 'string' ? mask(value.slice(0, maxText)) : undefined;
}
