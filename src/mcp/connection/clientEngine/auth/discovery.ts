import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  IssuerMismatchError,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { errorMessage, HumanError, isHumanError } from '../../../../base/errors.js';
import { quotedName } from '../../../../base/text/nameToken.js';
import type { OAuthSettings } from '../../../../config/definition.js';
import { assertSafeAddress, shownAddress } from '../../../oauth/safeAddress.js';
import type {
  AuthorizationChallenge,
  ServerAuthorization,
} from '../../../oauth/serverAuthorization.js';
import { withBodyLimit } from '../../http/bodyLimit.js';
import type { Fetch } from '../../http/fetch.js';
import {
  certificateTrouble,
  isCertificateCode,
  networkErrorCode,
} from '../../http/networkErrors.js';
import { trustOperator } from './challenges.js';

type ResourceMetadata = NonNullable<OAuthDiscoveryState['resourceMetadata']>;

const maxTried = 8;
const maxReasonLength = 200;

/** Metadata, registrations and tokens are small, and come soon. */
const maxAnswerBytes = 1024 * 1024;
const answerTimeoutMs = 20_000;

/**
 * A `fetch` for everything that is not the MCP server's.
 * @param endsAt when all answers are there or given up, by the clock of `performance`. Default: never.
 */
export function fetchForAuthorization(
  authorization: ServerAuthorization,
  baseFetch: Fetch,
  endsAt = Number.POSITIVE_INFINITY,
): Fetch {
  const limited = withBodyLimit(baseFetch, maxAnswerBytes);
  return async (url, init) => {
    assertSafeAddress(url, authorization);
    const leftMs = Math.max(0, Math.floor(endsAt - performance.now()));
    try {
      return await limited(url, {
        ...init,
        // as text, since not every fetch of ours takes another kind
        body: init?.body ? String(init.body) : null,
        signal: AbortSignal.timeout(Math.min(answerTimeoutMs, leftMs)),
      });
    } catch (error) {
      const code = networkErrorCode(error);
      if (!isCertificateCode(code)) {
        throw error;
      }
      const trouble = certificateTrouble(code, new URL(url).origin);
      throw new HumanError(trouble.code, trouble.message, { remedy: trouble.remedy, cause: error });
    }
  };
}

/**
 * Who authorizes for the server, and what that says about itself: the first that answers rightly among those that the
 * server names and the entry allows.
 * @param isRefresh ask nobody else than who gave the tokens, if the server still names it.
 * @throws {HumanError} or the reason of the only one that was asked.
 */
export async function discoverAuthorization(
  authorization: ServerAuthorization,
  { resourceMetadataUrl }: AuthorizationChallenge,
  fetchFn: Fetch,
  isRefresh = false,
): Promise<OAuthDiscoveryState> {
  const { serverName, serverUrl, settings, credentials } = authorization;
  const given = discoveryByHand(settings);
  if (given) {
    return given;
  }
  const resourceMetadata = await readResourceMetadata(serverUrl, resourceMetadataUrl, fetchFn);
  const listed = resourceMetadata?.authorization_servers ?? [];
  const named = listed.length > 0 ? listed : [new URL('/', serverUrl).href];
  const skipsValidation = settings.skipIssuerMetadataValidation === true;
  const chosen = choose(named, settings.issuer, skipsValidation);
  if (chosen.length === 0) {
    throw foreignIssuer(serverName, named, settings.issuer ?? '');
  }
  const { issuer: heldIssuer } = await credentials.read();
  const ordered = orderByHeld(chosen, heldIssuer, isRefresh).slice(0, maxTried);
  const found = await firstUsable(ordered, serverName, async (address) => {
    assertSafeAddress(address, authorization);
    const metadata = await discoverAuthorizationServerMetadata(address, {
      fetchFn,
      skipIssuerValidation: skipsValidation,
    });
    return { address, metadata };
  });
  const issuer = found.metadata?.issuer ?? found.address;
  if (settings.issuer !== undefined && !isSameIssuer(issuer, settings.issuer)) {
    throw foreignIssuer(serverName, [issuer], settings.issuer);
  }
  return {
    authorizationServerUrl: found.address,
    authorizationServerMetadata: found.metadata,
    resourceMetadata,
    resourceMetadataUrl: resourceMetadataUrl || undefined,
  };
}

/** What the entry says in place of the servers; `undefined` where it leaves that to them. */
function discoveryByHand({
  issuer,
  authorizationUrl,
  tokenUrl,
  registrationUrl,
  clientMetadataUrl,
}: OAuthSettings): OAuthDiscoveryState | undefined {
  if (tokenUrl === undefined) {
    return undefined;
  }
  const authorizationServerUrl = issuer ?? new URL(tokenUrl).origin;
  return {
    authorizationServerUrl,
    authorizationServerMetadata: {
      issuer: authorizationServerUrl,
      // a client that gets tokens by itself sees no page
      authorization_endpoint: authorizationUrl ?? tokenUrl,
      token_endpoint: tokenUrl,
      registration_endpoint: registrationUrl,
      response_types_supported: ['code'],
      // nobody can be asked; whoever does not know the challenge leaves it alone
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: clientMetadataUrl !== undefined,
    },
  };
}

/** `undefined` for servers that predate such metadata. */
async function readResourceMetadata(
  serverUrl: string,
  resourceMetadataUrl: string | undefined,
  fetchFn: Fetch,
): Promise<ResourceMetadata | undefined> {
  try {
    return await discoverOAuthProtectedResourceMetadata(
      serverUrl,
      resourceMetadataUrl ? { resourceMetadataUrl } : {},
      fetchFn,
    );
  } catch (error) {
    // of a failed request; everything else comes from what the server answered
    if (error instanceof TypeError || (isHumanError(error) && error.code === 'certificate')) {
      throw error;
    }
    return undefined;
  }
}

/** Metadata that may name another issuer than their address are read before they can be compared. */
function choose(
  named: readonly string[],
  issuer: string | undefined,
  skipsValidation: boolean,
): readonly string[] {
  if (issuer === undefined) {
    return named;
  }
  const same = named.filter((address) => isSameIssuer(address, issuer));
  return same.length === 0 && skipsValidation ? named : same;
}

function orderByHeld(
  addresses: readonly string[],
  heldIssuer: string | undefined,
  isRefresh: boolean,
): readonly string[] {
  const isHeld = (address: string) => heldIssuer !== undefined && isSameIssuer(address, heldIssuer);
  const held = addresses.filter(isHeld);
  const others = isRefresh && held.length > 0 ? [] : addresses.filter((item) => !isHeld(item));
  return [...held, ...others];
}

interface Found {
  readonly address: string;
  readonly metadata: OAuthDiscoveryState['authorizationServerMetadata'];
}

async function firstUsable(
  addresses: readonly string[],
  serverName: string,
  read: (address: string) => Promise<Found>,
): Promise<Found> {
  let withoutMetadata: Found | undefined;
  const failures: { readonly address: string; readonly error: unknown }[] = [];
  for (const address of addresses) {
    try {
      const found = await read(address);
      if (found.metadata) {
        return found;
      }
      withoutMetadata ??= found;
    } catch (error) {
      failures.push({ address, error: explain(error, serverName) });
    }
  }
  // the oldest servers have no metadata, only addresses that everybody knows
  if (withoutMetadata) {
    return withoutMetadata;
  }
  const [first] = failures;
  if (failures.length === 1 && first) {
    throw first.error;
  }
  const reasons = failures.map(
    ({ address, error }) => `${shownAddress(address)}: ${reason(error)}`,
  );
  throw new HumanError(
    'no_authorization_server',
    l10n.t(
      'None of the authorization servers of {0} can be used. {1}',
      quotedName(serverName),
      reasons.join('; '),
    ),
    {
      remedy: l10n.t('Ask the operator of the server.'),
      cause: new AggregateError(failures.map(({ error }) => error)),
    },
  );
}

function explain(error: unknown, serverName: string): unknown {
  if (!(error instanceof IssuerMismatchError) || error.kind !== 'metadata') {
    return error;
  }
  return new HumanError(
    'foreign_metadata',
    l10n.t(
      'The authorization server of {0} is named {1}, but says that it is {2}.',
      quotedName(serverName),
      shownAddress(error.expected ?? ''),
      shownAddress(error.received ?? ''),
    ),
    {
      remedy: trustOperator('oauth.skipIssuerMetadataValidation'),
      cause: error,
    },
  );
}

function reason(error: unknown): string {
  const text = isHumanError(error)
    ? error.message
    : (networkErrorCode(error) ?? errorMessage(error));
  return text.slice(0, maxReasonLength).trimEnd().replace(/\.$/, '');
}

function foreignIssuer(serverName: string, named: readonly string[], issuer: string): HumanError {
  return new HumanError(
    'foreign_issuer',
    l10n.t(
      'The server {0} is authorized by {1}, and not by {2} as its entry says.',
      quotedName(serverName),
      named.slice(0, maxTried).map(shownAddress).join(', '),
      shownAddress(issuer),
    ),
    { remedy: l10n.t('Correct "{0}".', 'oauth.issuer') },
  );
}

/** Ignores a last slash, which `URL` adds where nobody wrote one. */
export function isSameIssuer(one: string, other: string): boolean {
  return one.replace(/\/$/, '') === other.replace(/\/$/, '');
}

export function discoveredIssuer(discovery: OAuthDiscoveryState): string {
  return discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl;
}
