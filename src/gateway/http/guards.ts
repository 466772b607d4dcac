/** What a request must have before anything of it is read. Pure; no library sees a request that fails here. */
import { addTo } from '../../base/lists.js';
import type { AccessTokens, Grant } from './accessTokens.js';
import { gatewayLimits } from './limits.js';

export interface RequestHead {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
}

export type Verdict =
  | { readonly kind: 'pass'; readonly path: string; readonly grant: Grant }
  /** A sign of life, which says nothing and needs no token. */
  | { readonly kind: 'alive' }
  | {
      readonly kind: 'refused';
      readonly status: number;
      /** For people; says nothing about what was compared. */
      readonly reason: string;
      /** Of the answer, for who may show a token yet. */
      readonly challenge?: string;
    };

const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'DELETE']);
/** A second one of these would be read by somebody else than the first. */
const singular = ['host', 'origin', 'authorization', 'content-length', 'mcp-session-id'];
const judged: ReadonlySet<string> = new Set([...singular, 'sec-fetch-site']);
const noValues: readonly string[] = [];
/** Of the page about the API. */
export const docsPaths: ReadonlySet<string> = new Set(['/api/docs', '/api/v1/docs']);

/**
 * The address that was asked for comes first, so that a page whose name was rebound to this machine learns nothing, not
 * even whether its token is right.
 */
export function judgeRequest(
  head: RequestHead,
  { port, tokens }: { readonly port: number; readonly tokens: AccessTokens },
): Verdict {
  const headers = judgedHeaders(head.rawHeaders);
  const of = (name: string) => headers.get(name) ?? noValues;
  if (singular.some((name) => of(name).length > 1)) {
    return refused(400, 'A header is there twice.');
  }
  const [host] = of('host');
  if (host === undefined || !isOwnHost(host, port)) {
    return refused(403, 'The Host header names another place.');
  }
  // nothing that runs in a browser is a client, whatever its origin; the browser sends it with every request of others
  if (of('origin').length > 0) {
    return refused(403, 'Pages in a browser are not served.');
  }
  if (of('sec-fetch-site').some((site) => site.toLowerCase() !== 'none')) {
    return refused(403, 'Pages in a browser are not served.');
  }
  if (head.method === 'OPTIONS') {
    return refused(403, 'Pages in a browser are not served.');
  }
  if (!methods.has(head.method)) {
    return refused(405, 'The method is not served.');
  }
  if (head.url.length > gatewayLimits.urlLength) {
    return refused(414, 'The address is too long.');
  }
  const path = pathOf(head.url);
  if (path === undefined) {
    return refused(400, 'The address cannot be read.');
  }
  if (path === '/healthz' && head.method === 'GET') {
    return { kind: 'alive' };
  }
  const [authorization] = of('authorization');
  // a person reads it in a browser, which asks for a password; for all else that one counts for nothing
  const isForPeople = head.method === 'GET' && docsPaths.has(path);
  const grant = isForPeople ? tokens.grantOfPassword(authorization) : tokens.grantOf(authorization);
  if (!grant) {
    const challenge = isForPeople ? 'Basic realm="Pi MCP: the token is the password"' : 'Bearer';
    return { ...refused(401, 'A token is needed.'), challenge };
  }
  return { kind: 'pass', path, grant };
}

function refused(status: number, reason: string): Extract<Verdict, { kind: 'refused' }> {
  return { kind: 'refused', status, reason };
}

function isOwnHost(host: string, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some(
    (name) => host.toLowerCase() === `${name}:${port}`,
  );
}

/** The values of those of which anything is asked, by their names in lower case. */
function judgedHeaders(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    if (judged.has(name)) {
      addTo(byName, name, rawHeaders[index + 1] ?? '');
    }
  }
  return byName;
}

/** `undefined`: not encoded as addresses are. */
export function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Only what begins with a path is meant for us; an absolute address is meant for a proxy. */
function pathOf(url: string): string | undefined {
  if (!url.startsWith('/') || url.startsWith('//')) {
    return undefined;
  }
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}
