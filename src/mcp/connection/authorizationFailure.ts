import * as l10n from '@vscode/l10n';
import type { McpServerFailure } from '../mcpTypes.js';

export type AuthorizationFailure = Pick<McpServerFailure, 'code' | 'message' | 'remedy'>;

/** HTTP 401. Whoever sends a token of their own, or has switched signing in off, cannot sign in. */
export function authorizationFailure(maySignIn: boolean): AuthorizationFailure {
  const message = l10n.t('The server asks for authorization (HTTP 401).');
  return maySignIn
    ? {
        code: 'unauthorized',
        message,
        remedy: l10n.t(
          'Sign in to the server, or set a valid token in "headers" or "bearerToken".',
        ),
      }
    : {
        code: 'token_refused',
        message,
        remedy: l10n.t(
          'Set a valid token in "headers" or "bearerToken"; the entry switches signing in off.',
        ),
      };
}

/** Nothing gets better by trying again. */
export function isAuthorizationFailure({ code }: Pick<McpServerFailure, 'code'>): boolean {
  return code === 'unauthorized' || code === 'token_refused';
}
