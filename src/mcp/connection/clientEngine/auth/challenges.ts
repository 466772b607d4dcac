import {
  extractWWWAuthenticateParams,
  type OAuthDiscoveryState,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { errorMessage, HumanError, isHumanError } from '../../../../base/errors.js';
import type { JsonObject } from '../../../../base/json.js';
import { quotedName } from '../../../../base/text/nameToken.js';
import type { OAuthProvider } from '../../../oauth/oauthProvider.js';
import { shownAddress } from '../../../oauth/safeAddress.js';
import type {
  AuthorizationChallenge,
  ServerAuthorization,
} from '../../../oauth/serverAuthorization.js';

const maxDetailLength = 300;

type SignInSubject = Pick<ServerAuthorization, 'serverName' | 'settings'>;

/** A response that says that the token is missing, invalid or too weak. */
export interface Refusal extends AuthorizationChallenge {
  readonly kind: 'unauthorized' | 'insufficient_scope';
}

export function present(
  tokens: JsonObject | undefined,
  init: RequestInit | undefined,
): RequestInit {
  if (typeof tokens?.access_token !== 'string') {
    return init ?? {};
  }
  const headers = new Headers(init?.headers);
  headers.set('authorization', `Bearer ${tokens.access_token}`);
  return { ...init, headers };
}

export function readRefusal(response: Response): Refusal | undefined {
  if (response.status !== 401 && response.status !== 403) {
    return undefined;
  }
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(response);
  const challenge = {
    resourceMetadataUrl: resourceMetadataUrl?.href,
    scope: scope || undefined,
  };
  if (response.status === 401) {
    return { kind: 'unauthorized', ...challenge };
  }
  return error === 'insufficient_scope' ? { kind: 'insufficient_scope', ...challenge } : undefined;
}

/** The specification lets nobody authorize without S256; a server without metadata predates it. */
export function assertChallengeMethod(
  { authorizationServerMetadata: metadata }: OAuthDiscoveryState,
  serverName: string,
): void {
  if (metadata && !metadata.code_challenge_methods_supported?.includes('S256')) {
    throw new HumanError('no_pkce', notOffered(serverName, 'PKCE (S256)'), {
      remedy: l10n.t('Ask the operator of the server.'),
    });
  }
}

/** @param what as the standard calls it. */
export function notOffered(serverName: string, what: string): string {
  return l10n.t(
    'The authorization server of {0} does not offer {1}.',
    quotedName(serverName),
    what,
  );
}

/** `undefined` when the user gave up. @throws {HumanError} when the server refused. */
export function readResponse(
  { response }: OAuthProvider,
  { authorizationServerMetadata: metadata }: OAuthDiscoveryState,
  subject: SignInSubject,
): { readonly authorizationCode: string; readonly iss?: string } | undefined {
  if (!response) {
    return undefined;
  }
  const iss = response.get('iss') ?? undefined;
  const authorizationCode = response.get('code');
  // many servers name themselves beside a code, but not beside a refusal
  if (authorizationCode || iss !== undefined) {
    // before anything else is read, since another server may have written the rest
    assertIssuer(iss, metadata, subject);
  }
  if (authorizationCode) {
    return { authorizationCode, iss };
  }
  const reason = response.get('error_description') ?? response.get('error') ?? '';
  throw new HumanError(
    'sign_in_refused',
    l10n.t('The authorization server refused: {0}', reason.slice(0, maxDetailLength)),
    { remedy: l10n.t('Sign in again, perhaps with another account.') },
  );
}

function assertIssuer(
  iss: string | undefined,
  metadata: OAuthDiscoveryState['authorizationServerMetadata'],
  { serverName, settings: { tokenUrl, issuer } }: SignInSubject,
): void {
  try {
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
  } catch (error) {
    const begun = shownAddress(metadata?.issuer ?? '');
    throw new HumanError(
      'foreign_return',
      iss === undefined
        ? l10n.t(
            'The sign-in to {0} began at {1}, but its answer does not say where it is from.',
            quotedName(serverName),
            begun,
          )
        : l10n.t(
            'The sign-in to {0} began at {1}, but its answer is from {2}.',
            quotedName(serverName),
            begun,
            shownAddress(iss),
          ),
      {
        remedy:
          tokenUrl !== undefined && issuer === undefined && iss !== undefined
            ? trustOperator('oauth.issuer')
            : l10n.t('Ask the operator of the server.'),
        cause: error,
      },
    );
  }
}

/** The remedy where the entry may say that somebody is who they say. */
export function trustOperator(field: string): string {
  return l10n.t('Only if its operator says that this is right, set "{0}".', field);
}

export function describeChallenge(error: unknown, serverName: string): HumanError {
  if (isHumanError(error)) {
    return error;
  }
  return new HumanError(
    'sign_in_failed',
    l10n.t(
      'The sign-in to {0} failed: {1}',
      quotedName(serverName),
      errorMessage(error).slice(0, maxDetailLength),
    ),
    { remedy: l10n.t('Sign in again; see the log of the server for details.'), cause: error },
  );
}
