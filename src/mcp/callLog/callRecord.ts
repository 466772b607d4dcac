/** A call of a tool, as a line of the log: masked and bounded when it is written, of anybody's making when it is read. */
import { isDeeperThan, isJsonObject, type JsonObject, parseJsonObject } from '../../base/json.js';
import type { MaskText } from '../../config/secrets/secretMask.js';
import { frameText } from '../connection/trafficTrace.js';
import type { CallMaker } from '../originTypes.js';
import { isTraceId } from '../traceContext.js';
import { maskedJson } from '../traffic/storedForm.js';

export interface CallRecord {
  /** When it was made; ISO 8601. */
  readonly time: string;
  readonly by: string;
  /** Of the conversation, or as the client calls itself. */
  readonly name?: string | undefined;
  /** Path of the folder that the server belongs to; absent for a server of the user. */
  readonly folder?: string | undefined;
  readonly server: string;
  readonly tool: string;
  /** Of large ones the beginning of their JSON. */
  readonly arguments: JsonObject | string;
  /** `ok`, `tool_error`, or the code of what kept it from a result. */
  readonly outcome: string;
  readonly ms: number;
  /** Characters of the result as JSON. */
  readonly size: number;
  /** What decided that it may be made, and by which rule. */
  readonly approval?: string | undefined;
  readonly rule?: string | undefined;
  /** Of the trace that it belongs to for its client. */
  readonly trace?: string | undefined;
}

/** A call that was made. */
export interface MadeCall {
  readonly folder: string | undefined;
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly maker: CallMaker;
  readonly trace?: string | undefined;
}

export type CallEnd = Pick<CallRecord, 'time' | 'outcome' | 'ms' | 'size'>;

/** Characters of arguments from which on only their beginning is kept, and how many those are. */
const maxArguments = 16 * 1024;
const headLength = 4 * 1024;
const maxText = 300;
const maxPath = 4_000;
/** Characters of a line that is read. */
const maxLine = 128 * 1024;
const maxDepth = 200;

/** In one line, without its end. */
export function callLine(call: MadeCall, end: CallEnd, mask: MaskText): string {
  const { folder, server, tool, args, maker, trace } = call;
  const whole = frameText(args);
  const record: CallRecord = {
    time: end.time,
    by: maker.by,
    name: maker.name?.slice(0, maxText),
    folder: folder?.slice(0, maxPath),
    server: server.slice(0, maxText),
    tool: tool.slice(0, maxText),
    // the ellipsis tells the mask that a secret may end here
    arguments: whole.length > maxArguments ? mask(`${whole.slice(0, headLength)}…`) : args,
    outcome: end.outcome,
    ms: end.ms,
    size: end.size,
    approval: maker.approval?.kind,
    rule: maker.approval?.rule?.slice(0, maxText),
    trace,
  };
  const message = { ...record };
  return maskedJson(message, frameText(message), mask);
}

/** `undefined` for a line that is no call. */
export function readCallLine(line: string): CallRecord | undefined {
  const value = line.length > maxLine ? undefined : parseJsonObject(line);
  if (!value || isDeeperThan(value, maxDepth)) {
    return undefined;
  }
  const { time, by, server, tool, outcome, ms, size } = value;
  const texts = [time, by, server, tool, outcome].map((text) => textOf(text));
  const isWhole =
    texts.every((text) => text !== undefined) &&
    Number.isFinite(Date.parse(String(time))) &&
    [ms, size].every((count) => typeof count === 'number' && Number.isFinite(count) && count >= 0);
  if (!isWhole) {
    return undefined;
  }
  const [, readBy = '', readServer = '', readTool = '', readOutcome = ''] = texts;
  return {
    time: new Date(String(time)).toISOString(),
    by: readBy,
    name: textOf(value.name),
    folder: textOf(value.folder, maxPath),
    server: readServer,
    tool: readTool,
    arguments: isJsonObject(value.arguments)
      ? value.arguments
      : (textOf(value.arguments, maxLine) ?? ''),
    outcome: readOutcome,
    ms: Number(ms),
    size: Number(size),
    approval: textOf(value.approval),
    rule: textOf(value.rule),
    trace: isTraceId(value.trace) ? value.trace : undefined,
  };
}

function textOf(value: unknown, most = maxText): string | undefined {
  return typeof value === 'string' ? value.slice(0, most) : undefined;
}
