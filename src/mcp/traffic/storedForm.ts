/** From what passed, as it passed, to what may be kept of it: masked and bounded. */
import { errorMessage } from '../../base/errors.js';
import { type JsonObject, parseJsonObject } from '../../base/json.js';
import { redactUrl, redactValue } from '../../config/secrets/redact.js';
import { type MaskText, maskDocument } from '../../config/secrets/secretMask.js';
import { redactedSentinel } from '../../config/secrets/sentinel.js';
import type { HttpStep } from '../connection/http/exchangeTap.js';
import { requestId } from '../connection/http/httpWatch.js';
import { frameText } from '../connection/trafficTrace.js';
import type {
  FrameRecord,
  HeaderList,
  HttpRecord,
  TrafficDirection,
  TrafficRecord,
} from '../trafficTypes.js';
import { frameFacts } from './frameFacts.js';

/** Characters of a frame from which on only its beginning is kept, and how many those are. */
export const largeFrame = 64 * 1024;
const headLength = 16 * 1024;
const maxLine = 4_000;
const maxHeaders = 100;

interface Passed {
  readonly seq: number;
  readonly t: number;
  readonly gen: number;
  readonly mask: MaskText;
}

/** What passed and was not looked at yet. */
export type RawRecord = Passed &
  (
    | {
        readonly kind: 'frame';
        readonly dir: TrafficDirection;
        /** A text is JSON of the message. */
        readonly held: JsonObject | string;
      }
    | { readonly kind: 'http'; readonly step: HttpStep }
    | { readonly kind: 'stderr'; readonly line: string }
    | { readonly kind: 'ready'; readonly record: TrafficRecord }
  );

export interface Stored {
  readonly record: TrafficRecord;
  /** Of a frame that was cut. */
  readonly whole?: string;
  /** Of a frame, unmasked. */
  readonly message?: JsonObject;
}

/** @param isWholeWanted whether the whole of a large frame is of use to anybody */
export function storedForm(raw: RawRecord, isWholeWanted: boolean): Stored {
  const { seq, t, gen, mask } = raw;
  const head = { seq, t, gen };
  switch (raw.kind) {
    case 'frame':
      return storedFrame(head, raw, isWholeWanted);
    case 'http':
      return { record: httpRecord(head, raw.step, mask) };
    case 'stderr':
      return { record: { ...head, kind: 'stderr', text: mask(raw.line.slice(0, maxLine)) } };
    case 'ready':
      return { record: raw.record };
  }
}

function storedFrame(
  head: Pick<FrameRecord, 'seq' | 't' | 'gen'>,
  { dir, held, mask }: Extract<RawRecord, { kind: 'frame' }>,
  isWholeWanted: boolean,
): Stored {
  const message = typeof held === 'string' ? (parseJsonObject(held) ?? {}) : held;
  const facts = frameFacts(message, mask);
  const text = frameText(message);
  const frame = { ...head, kind: 'frame', dir, size: text.length, facts } as const;
  if (text.length <= largeFrame) {
    return { record: { ...frame, text: maskedJson(message, text, mask), isCut: false }, message };
  }
  // the ellipsis tells the mask that a secret may end here
  const beginning = `${text.slice(0, headLength)}…`;
  const record: FrameRecord = { ...frame, text: mask(beginning), isCut: true };
  return isWholeWanted
    ? { record, whole: maskedJson(message, text, mask), message }
    : { record, message };
}

/** Masked as one text, which finds most, and stays JSON. */
export function maskedJson(message: JsonObject, text: string, mask: MaskText): string {
  const masked = mask(text);
  if (masked === text || parseJsonObject(masked)) {
    return masked;
  }
  const inner = JSON.stringify(maskDocument(message, mask));
  return mask(inner) === inner ? inner : JSON.stringify(redactedSentinel);
}

function httpRecord(
  head: Pick<HttpRecord, 'seq' | 't' | 'gen'>,
  step: HttpStep,
  mask: MaskText,
): HttpRecord {
  const { exchange } = step;
  const shared = { ...head, kind: 'http', exchange } as const;
  switch (step.phase) {
    case 'request': {
      const rpcId = requestId(step.body);
      return {
        ...shared,
        phase: 'request',
        method: step.method,
        url: mask(redactUrl(step.url)),
        headers: headerList(step.headers, mask),
        rpcId: rpcId === undefined ? undefined : typeof rpcId === 'string' ? mask(rpcId) : rpcId,
      };
    }
    case 'response':
      return {
        ...shared,
        phase: 'response',
        status: step.status,
        headers: headerList(step.headers, mask),
      };
    case 'end': {
      const { end, bytes, error } = step;
      return {
        ...shared,
        phase: 'end',
        end,
        bytes,
        error: error === undefined ? undefined : mask(errorMessage(error)).slice(0, maxLine),
      };
    }
  }
}

function headerList(headers: HeadersInit | undefined, mask: MaskText): HeaderList {
  return [...new Headers(headers)]
    .slice(0, maxHeaders)
    .map(([name, value]) => [name, maskHeader(name, value.slice(0, maxLine), mask)]);
}

/** The session is shown by its beginning, by which people tell sessions apart. */
function maskHeader(name: string, value: string, mask: MaskText): string {
  if (name === 'mcp-session-id') {
    return value.length > 8 ? `${mask(value.slice(0, 8))}…` : redactedSentinel;
  }
  if (/^(?:proxy-)?authorization$|^(?:set-)?cookie$|^dpop$/.test(name)) {
    return redactedSentinel;
  }
  return mask(redactValue(value, name));
}
