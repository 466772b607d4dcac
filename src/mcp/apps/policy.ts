/** What an MCP App may reach: only origins that its server declared, in the words of a content security policy. */
import * as l10n from '@vscode/l10n';
import type { McpAppNeeds } from '../mcpTypes.js';

type DomainKind = 'connectDomains' | 'resourceDomains' | 'frameDomains' | 'baseUriDomains';
export type AppDomains = Readonly<Record<DomainKind, readonly string[]>>;

export interface AppPolicy {
  /** Usable origins, each written once in its normal form. */
  readonly domains: AppDomains;
  /** Of the page around the app, from which the app's own document inherits it. */
  readonly contentSecurityPolicy: string;
  /** What was asked for and is not granted; full sentences. */
  readonly notices: readonly string[];
}

const kinds = ['connectDomains', 'resourceDomains', 'frameDomains', 'baseUriDomains'] as const;
const originPattern =
  /^(https?|wss?):\/\/((?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(:\d{1,5})?\/?$/i;
const loopbackPattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

export function appPolicy(needs: McpAppNeeds | undefined): AppPolicy {
  const rejected: string[] = [];
  const pick = (kind: DomainKind) => {
    const schemes = kind === 'connectDomains' ? ['https', 'wss', 'http', 'ws'] : ['https', 'http'];
    const origins = (needs?.[kind] ?? []).flatMap((written) => {
      const origin = originOf(written, schemes);
      if (origin === undefined) {
        rejected.push(written);
      }
      return origin ?? [];
    });
    return [...new Set(origins)].sort();
  };
  const domains: AppDomains = {
    connectDomains: pick('connectDomains'),
    resourceDomains: pick('resourceDomains'),
    frameDomains: pick('frameDomains'),
    baseUriDomains: pick('baseUriDomains'),
  };
  return {
    domains,
    contentSecurityPolicy: policyText(domains),
    notices: [
      ...(rejected.length > 0
        ? [l10n.t('Not reachable, because it is no plain origin: {0}', rejected.join(', '))]
        : []),
      ...(needs && needs.permissions.length > 0
        ? [l10n.t('Not granted: {0}', needs.permissions.join(', '))]
        : []),
    ],
  };
}

/** Every origin that the app may reach in any way, once. */
export function reachableOrigins(domains: AppDomains): readonly string[] {
  return [...new Set(kinds.flatMap((kind) => domains[kind]))].sort();
}

/** One text for each permission that consent covers. */
export function permissionsOf(domains: AppDomains): readonly string[] {
  return kinds.flatMap((kind) => domains[kind].map((origin) => `${kind} ${origin}`));
}

/** No paths, no credentials, no lone wildcards; without encryption only what is on this machine. */
function originOf(written: string, schemes: readonly string[]): string | undefined {
  const match = originPattern.exec(written.trim());
  const [, scheme = '', host = '', port = ''] = match ?? [];
  const name = host.toLowerCase();
  const isWildcard = name.startsWith('*.');
  const isUsable =
    match &&
    schemes.includes(scheme.toLowerCase()) &&
    !name.includes('..') &&
    (!isWildcard || name.slice(2).includes('.')) &&
    (/s$/i.test(scheme) || loopbackPattern.test(name)) &&
    Number(port.slice(1)) < 65_536;
  return isUsable ? `${scheme.toLowerCase()}://${name}${port}` : undefined;
}

function policyText({
  connectDomains,
  resourceDomains,
  frameDomains,
  baseUriDomains,
}: AppDomains): string {
  const list = (...sources: readonly string[]) =>
    sources.length > 0 ? sources.join(' ') : `'none'`;
  return [
    `default-src 'none'`,
    `script-src ${list(`'unsafe-inline'`, ...resourceDomains)}`,
    `style-src ${list(`'unsafe-inline'`, ...resourceDomains)}`,
    `img-src ${list('data:', 'blob:', ...resourceDomains)}`,
    `media-src ${list('data:', 'blob:', ...resourceDomains)}`,
    `font-src ${list('data:', ...resourceDomains)}`,
    `connect-src ${list(...connectDomains)}`,
    // also where the app may navigate itself to
    `frame-src ${list(...frameDomains)}`,
    `base-uri ${list(...baseUriDomains)}`,
    `worker-src 'none'`,
    `object-src 'none'`,
    `form-action 'none'`,
    `webrtc 'block'`,
    // of the rules that an app's document has before its first script, and of no others
    `require-trusted-types-for 'script'`,
    `trusted-types default`,
  ].join('; ');
}
