/** Facts that fail in more than one place, each with its one sentence and remedy. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../base/errors.js';
import { quotedName } from '../base/text/nameToken.js';
import type { ConfigProblem } from './definition.js';

/**
 * @param name where it is known.
 * @param remedy for those who cannot look at the list of servers.
 */
export function serverUnknown(
  name?: string,
  remedy = l10n.t('It may have been renamed or removed: look at the list of servers.'),
): HumanError {
  const message =
    name === undefined
      ? l10n.t('The MCP server does not exist any more.')
      : l10n.t('There is no MCP server {0}.', quotedName(name));
  return new HumanError('server_unknown', message, { remedy });
}

export function folderUnknown(): HumanError {
  return new HumanError('folder_unknown', l10n.t('That folder is not open any more.'), {
    remedy: l10n.t('Choose one of the folders of this workspace.'),
  });
}

/** @throws {HumanError} with the first problem that makes an entry unusable. */
export function assertUsable(problems: readonly ConfigProblem[]): void {
  const error = unusableFor(problems);
  if (error) {
    throw error;
  }
}

/** The first problem that makes an entry unusable. */
export function unusableFor(problems: readonly ConfigProblem[]): HumanError | undefined {
  const error = problems.find(({ severity }) => severity === 'error');
  return error && new HumanError(error.code, error.message, { remedy: error.remedy });
}
