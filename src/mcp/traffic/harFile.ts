/** The HTTP exchanges of a recording as HAR 1.2, which browsers and proxies read: http://www.softwareishard.com/blog/har-12-spec/ */
import type { FrameRecord, HeaderList, HttpRecord, TrafficRecord } from '../trafficTypes.js';

type Step<P extends HttpRecord['phase']> = Extract<HttpRecord, { readonly phase: P }>;

interface Exchange {
  readonly request: Step<'request'>;
  response?: Step<'response'>;
  end?: Step<'end'>;
}

/** What the format demands and nobody knows. */
const unknownSize = -1;

/** @param version of ours */
export function exportHar(records: readonly TrafficRecord[], version: string): string {
  const frames = framesOf(records);
  const entries = exchangesOf(records).map((exchange) => entryOf(exchange, frames));
  const creator = { name: 'Pi MCP', version };
  return `${JSON.stringify({ log: { version: '1.2', creator, entries } }, undefined, 2)}\n`;
}

/** Those whose beginning was kept, in their order. */
function exchangesOf(records: readonly TrafficRecord[]): readonly Exchange[] {
  const all = new Map<string, Exchange>();
  for (const record of records) {
    if (record.kind === 'http') {
      const key = `${record.gen} ${record.exchange}`;
      const known = all.get(key);
      if (record.phase === 'request') {
        all.set(key, { request: record });
      } else if (known && record.phase === 'response') {
        known.response = record;
      } else if (known && record.phase === 'end') {
        known.end = record;
      }
    }
  }
  return [...all.values()];
}

/** Requests of ours and answers to them, by connection, direction and id. */
function framesOf(records: readonly TrafficRecord[]): ReadonlyMap<string, FrameRecord> {
  const frames = new Map<string, FrameRecord>();
  for (const record of records) {
    if (record.kind === 'frame' && record.facts.id !== undefined) {
      const { dir, gen, facts } = record;
      if (dir === (facts.method === undefined ? 'received' : 'sent')) {
        frames.set(`${gen} ${dir} ${facts.id}`, record);
      }
    }
  }
  return frames;
}

function entryOf({ request, response, end }: Exchange, frames: ReturnType<typeof framesOf>) {
  const { gen, rpcId, t, url } = request;
  const until = end?.t ?? response?.t ?? t;
  const answered = response?.t ?? until;
  const sent = frames.get(`${gen} sent ${rpcId}`);
  return {
    startedDateTime: new Date(t).toISOString(),
    time: until - t,
    request: {
      method: request.method,
      url,
      httpVersion: '',
      cookies: [],
      headers: headersOf(request.headers),
      queryString: queryOf(url),
      headersSize: unknownSize,
      bodySize: sent ? sent.size : unknownSize,
      postData: sent && { mimeType: 'application/json', text: sent.text, ...cutNote(sent) },
    },
    response: {
      // 0 stands for no response
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: headersOf(response?.headers ?? []),
      content: contentOf(response, end, frames.get(`${gen} received ${rpcId}`)),
      redirectURL: '',
      headersSize: unknownSize,
      bodySize: end?.bytes ?? unknownSize,
    },
    cache: {},
    timings: { send: 0, wait: answered - t, receive: until - answered },
    connection: String(gen),
    comment: end && end.end !== 'ended' ? (end.error ?? end.end) : undefined,
  };
}

function contentOf(
  response: Step<'response'> | undefined,
  end: Step<'end'> | undefined,
  answer: FrameRecord | undefined,
) {
  const [, mimeType = ''] = response?.headers.find(([name]) => name === 'content-type') ?? [];
  // of a stream the messages are known, not how they stood in it
  const isJson = mimeType.startsWith('application/json');
  return {
    size: end?.bytes ?? unknownSize,
    mimeType,
    ...(isJson && answer && { text: answer.text, ...cutNote(answer) }),
  };
}

function cutNote({ isCut, size }: FrameRecord): { readonly comment?: string } {
  return isCut ? { comment: `the beginning of ${size} characters` } : {};
}

function headersOf(headers: HeaderList) {
  return headers.map(([name, value]) => ({ name, value }));
}

function queryOf(url: string) {
  return URL.canParse(url)
    ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value }))
    : [];
}
