import type { McpServerLaunch, ResolvedHttpLaunch } from '../config/definition.js';

/** Whether the user may sign in to what an entry declares, as far as its unresolved form tells. */
export function usesAccount(launch: McpServerLaunch | undefined): boolean {
  return (
    launch?.kind === 'http' &&
    launch.bearerToken === undefined &&
    launch.bearerTokenEnv === undefined &&
    usesOAuth(launch)
  );
}

/** A header or token of the entry's own switches OAuth off. */
export function usesOAuth(launch: Pick<ResolvedHttpLaunch, 'auth' | 'headers'>): boolean {
  return !hasAuthorization(launch) && launch.auth !== false && launch.auth !== 'bearer';
}

/** The entry brings a token or a header of its own. */
export function hasAuthorization({ headers }: Pick<ResolvedHttpLaunch, 'headers'>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}
