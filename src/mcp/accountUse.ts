import * as l10n from '@vscode/l10n';
import { HumanError } from '../base/errors.js';
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

const maxNameLength = 60;

/** Why somebody cannot call an account so. */
export function accountNameProblem(name: string): HumanError | undefined {
  const isName =
    name !== '' && name.length <= maxNameLength && name.trim() === name && !/\p{C}/u.test(name);
  return isName
    ? undefined
    : new HumanError(
        'account_name',
        l10n.t('An account needs a name of 1 to {0} characters.', maxNameLength),
        { remedy: l10n.t('Leave out line breaks and control characters, and blanks at the ends.') },
      );
}
