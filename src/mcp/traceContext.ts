/** Where a request belongs in a trace: texts of the W3C in `_meta`, whose names have no prefix (SEP-414). */
import { asObject, defined, type JsonObject } from '../base/json.js';

const parentShape = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;
const idShape = /^[\da-f]{32}$/;
const stateMember = /^[a-z\d][a-z\d_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,256}$/;
const baggageMember = /^[!#$%&'*+\-.^`|~\w]+[ \t]*=[\x20-\x21\x23-\x2b\x2d-\x5b\x5d-\x7e\t]*$/;
/** Characters and members that the W3C wants to be passed on; what has more is not. */
const maxState = 512;
const maxStateMembers = 32;
const maxBaggage = 8_192;
const maxBaggageMembers = 64;

/** What of `_meta` is one, as it was written; `undefined`: nothing. A state without its parent means nothing. */
export function traceContext(meta: unknown): JsonObject | undefined {
  const { traceparent, tracestate, baggage } = asObject(meta);
  const parent = traceId(meta) === undefined ? undefined : traceparent;
  const hasState = isList(tracestate, stateMember, maxState, maxStateMembers);
  const hasBaggage = isList(baggage, baggageMember, maxBaggage, maxBaggageMembers);
  const context = defined({
    traceparent: parent,
    tracestate: parent !== undefined && hasState ? tracestate : undefined,
    baggage: hasBaggage ? baggage : undefined,
  });
  return Object.keys(context).length > 0 ? context : undefined;
}

/** Of the trace that `_meta` belongs to. */
export function traceId(meta: unknown): string | undefined {
  const { traceparent } = asObject(meta);
  return typeof traceparent === 'string' ? parentShape.exec(traceparent)?.[1] : undefined;
}

export function isTraceId(value: unknown): value is string {
  return typeof value === 'string' && idShape.test(value);
}

function isList(value: unknown, shape: RegExp, maxLength: number, maxMembers: number): boolean {
  if (typeof value !== 'string' || value.length > maxLength) {
    return false;
  }
  const members = value
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
  return (
    members.length > 0 &&
    members.length <= maxMembers &&
    members.every((member) => shape.test(member))
  );
}
