/** Servers that a host lists as its own (SEP-2127), in words. Plain Node; no `vscode`. */
import * as l10n from '@vscode/l10n';
import { counted } from '../../base/text/counted.js';
import { showHidden } from '../../base/text/showHidden.js';
import { addressReach, parseAddress } from '../../config/launch/addressReach.js';
import { type InstallWay, installWays } from '../../mcp/registry/installWay.js';
import type { CardSearch, FoundCard } from '../../mcp/registry/serverCards.js';
import type { RegistryServer } from '../../mcp/registry/serverJson.js';
import type { AddReading, OfferDetails } from '../../protocol/add/addProtocol.js';
import { type DetailsParts, serverLinks, versionFact, wayView } from './addViews.js';

/** Keeps what is offered. @param name in the catalog */
type Keep = (
  name: string,
  ways: readonly InstallWay[],
  server: RegistryServer | undefined,
) => DetailsParts;

/** @param asked address of what was found */
export function cardReading(search: CardSearch, asked: URL, keep: Keep): AddReading {
  const { host } = asked;
  if (search.kind === 'unreachable') {
    const remedy = l10n.t('Check the network and the proxy settings, then try again.');
    return { kind: 'wrong', message: l10n.t('{0} cannot be reached.', host), remedy };
  }
  const { cards, count } = search;
  if (count === 0) {
    return { kind: 'wrong', message: l10n.t('{0} lists no MCP servers.', host), remedy: '' };
  }
  return {
    kind: 'servers',
    what:
      count > cards.length
        ? l10n.t('{0}: {1}', host, l10n.t('{0} of {1} servers', cards.length, count))
        : l10n.t('{0}: {1}', host, counted(l10n.t('1 server|{0} servers'), count)),
    mayBeWords: false,
    cards: cards.map((found) => cardDetails(found, asked, keep)),
    isOpen: true,
  };
}

/** Nothing that is known of the server was proven by anybody. */
function cardDetails(found: FoundCard, asked: URL, keep: Keep): OfferDetails {
  const { server, identifier } = found;
  const { host, href } = asked;
  // only what is on this machine may lead to this machine
  const isFar = addressReach(href) !== 'loopback';
  const ways = server ? installWays(server, isFar) : [missingWay(found, host)];
  const { id, suggestedName } = keep(server?.name ?? identifier, ways, server);
  return {
    id,
    title: showHidden(server?.title ?? server?.name ?? identifier),
    description: showHidden(server?.description ?? ''),
    facts: [
      ...(server ? [versionFact(server)] : []),
      l10n.t('{0} lists it. It was not checked.', host),
    ],
    cautions: otherHosts(server, host).map((other) =>
      l10n.t('Its address is not at {0}, but at another host: {1}', host, showHidden(other)),
    ),
    links: server ? serverLinks(server) : [],
    ways: ways.map(wayView),
    suggestedName,
  };
}

/** Of what a variable decides it is said once that is filled in. */
function otherHosts(server: RegistryServer | undefined, host: string): readonly string[] {
  const hosts = (server?.remotes ?? []).flatMap(({ url }) => {
    const isOpen = /^(?:https?:\/\/[^/?#\\]*)?\{/i.test(url);
    return (isOpen ? undefined : parseAddress(url)?.host) ?? [];
  });
  return [...new Set(hosts)].filter((one) => one !== host);
}

function missingWay({ identifier, url }: FoundCard, host: string): InstallWay {
  const isElsewhere = url !== undefined && url.host !== host;
  return {
    id: 'missing',
    title: url?.href ?? identifier,
    blocker: isElsewhere
      ? l10n.t(
          'Its card is at another host, {0}, which was not asked. Paste this address to ask it: {1}',
          url.host,
          url.href,
        )
      : l10n.t('Its card names no server at an address.'),
    fields: [],
    launch: { kind: 'http', type: 'http', url: [], headers: [] },
    hasOpenAddress: false,
  };
}
