import * as l10n from '@vscode/l10n';
import type { McpServerFailure } from '../mcpTypes.js';
import type { UsedAccount } from '../oauth/serverAuthorization.js';

export type AuthorizationFailure = Pick<McpServerFailure, 'code' | 'message' | 'remedy'>;

/** HTTP 401. Whoever sends a token of their own, or has switched signing in off, cannot sign in. */
export function authorizationFailure(maySignIn: boolean, hasToken: boolean): AuthorizationFailure {
  return maySignIn
    ? {
        code: 'unauthorized',
        message: l10n.t('The server asks for authorization.'),
        remedy: l10n.t(
          'Sign in to the server, or set a valid token in "headers" or "bearerToken".',
        ),
      }
    : {
        code: 'token_refused',
        message: hasToken
          ? l10n.t('The server refuses the token of its entry (HTTP 401).')
          : l10n.t('The server asks for authorization.'),
        remedy: l10n.t(
          'Set a valid token in "headers" or "bearerToken"; the entry switches signing in off.',
        ),
      };
}

/** The server said after what time the same may succeed. */
export function isPassing({ retryAfterMs }: Pick<McpServerFailure, 'retryAfterMs'>): boolean {
  return retryAfterMs !== undefined;
}

/** HTTP 403. @param account of a user who is signed in and cannot connect. */
export function refusalFailure(account: UsedAccount | undefined): AuthorizationFailure {
  const wantedScope = account?.wantedScope;
  return {
    code: account ? accountRefused : 'forbidden',
    message: l10n.t('The server refuses access (HTTP 403).'),
    remedy: wantedScope
      ? l10n.t(
          'Sign in again, and grant what the server wants: {0}',
          wantedScope.slice(0, maxScopeLength),
        )
      : l10n.t('Use an account or token with the rights that the server asks for.'),
  };
}

const maxScopeLength = 200;
const accountRefused = 'account_refused';

/** The server refuses the token, so that no other request with it can succeed. */
export function isAuthorizationFailure({ code }: Pick<McpServerFailure, 'code'>): boolean {
  return code === 'unauthorized' || code === 'token_refused';
}

/** A connect that failed in this way does not get better by trying again. */
export function needsOtherAccess(failure: Pick<McpServerFailure, 'code'>): boolean {
  return isAuthorizationFailure(failure) || failure.code === accountRefused;
}

/** A connect that failed in this way succeeds once the user has signed in. */
export function needsSignIn({ code }: Pick<McpServerFailure, 'code'>): boolean {
  return code === 'unauthorized' || code === accountRefused;
}
