import { describe, expect, it } from 'vitest';
import { isTraceId, traceContext, traceId } from '../../../src/mcp/traceContext.js';

const id = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${id}-00f067aa0ba902b7-01`;
const tracestate = 'rojo=00f067aa0ba902b7, tenant@vendor=t61rcWkgMzE';
const baggage = 'userId=alice,serverNode=DF%2028;prop=1 , isProduction=false';

describe('what belongs to a trace', () => {
  it('is passed on as it was written, and nothing beside it', () => {
    const context = { traceparent, tracestate, baggage };
    expect(traceContext({ ...context, progressToken: 1, other: 'x' })).toEqual(context);
    expect(traceId(context)).toBe(id);
    expect(isTraceId(id)).toBe(true);
  });

  it('may be a parent alone, or what goes along alone', () => {
    expect(traceContext({ traceparent })).toEqual({ traceparent });
    expect(traceContext({ baggage })).toEqual({ baggage });
    expect(traceId({ baggage })).toBeUndefined();
  });

  it('is nothing where there is nothing', () => {
    for (const meta of [undefined, null, 'x', [], {}, { progressToken: 1 }]) {
      expect(traceContext(meta)).toBeUndefined();
      expect(traceId(meta)).toBeUndefined();
    }
  });

  it('is of a later version, too, as far as that is the same', () => {
    const later = traceparent.replace(/^00/, 'cc');
    expect(traceContext({ traceparent: later })).toEqual({ traceparent: later });
  });

  it('has members of any number up to the bound', () => {
    const members = (count: number) => Array.from({ length: count }, (_, at) => `k${at}=v`);
    const most = members(32).join(',');
    expect(traceContext({ traceparent, tracestate: most })).toEqual({
      traceparent,
      tracestate: most,
    });
    const more = members(33).join(',');
    expect(traceContext({ traceparent, tracestate: more })).toEqual({ traceparent });
    expect(traceContext({ baggage: members(64).join(',') })).toBeDefined();
    expect(traceContext({ baggage: members(65).join(',') })).toBeUndefined();
  });
});
