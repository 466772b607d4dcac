import * as l10n from '@vscode/l10n';
import { nameToken, quotedName } from '../base/text/nameToken.js';

/** What several rooms say of values and of parts of a configuration. */

/** @param field such as `env.TOKEN` or `args[2]`, where the sentence does not name it. */
export function ofServer(server: string, sentence: string, field?: string): string {
  return field === undefined
    ? l10n.t('{0}: {1}', quotedName(server), sentence)
    : l10n.t('{0}, {1}: {2}', quotedName(server), quotedName(field), sentence);
}

export function required(place: string): string {
  return l10n.t('"{0}" is required.', nameToken(place));
}

/** What {@link mustBe} says of an address. */
export const httpAddress = '"https://…" | "http://…"';

/** @param expected a type of TypeScript, or the beginning of a text. */
export function mustBe(place: string, expected: string): string {
  return l10n.t('"{0}" must be {1}.', nameToken(place), expected);
}

export function credentialsInAddress(): { readonly message: string; readonly remedy: string } {
  return {
    message: l10n.t('Its address holds a user name or password.'),
    remedy: l10n.t(
      'Write the URL without what is before its "@", and the credentials as a header.',
    ),
  };
}

/** @param command that was found in no folder of PATH. @param foundAt where it is in spite of that */
export function executableRemedy(command: string, foundAt: string | undefined): string {
  if (foundAt !== undefined) {
    return l10n.t('It was found at {0}; write that path.', foundAt);
  }
  return isWholeLine(command)
    ? l10n.t('Write the program alone into "command", and what follows it into "args".')
    : l10n.t('Install it, or write its full path in "command".');
}

/** A path may have blanks of its own. */
export function isWholeLine(command: string): boolean {
  return /^[^\s/\\]+\s+\S/.test(command);
}

export function unknownVariable(name: string): string {
  return l10n.t('"{0}" is not a variable that Pi MCP knows.', nameToken(name));
}

export function notSet(variable: string): string {
  return l10n.t('The environment variable {0} is not set.', quotedName(variable));
}
