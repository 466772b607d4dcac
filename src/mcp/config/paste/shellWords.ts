import * as l10n from '@vscode/l10n';
import { parse } from 'shell-quote';
import { HumanError } from '../../../base/errors.js';

/**
 * Splits a command line as a POSIX shell would, without running or expanding anything: `$VAR` becomes `${VAR}`, a
 * glob stays as written.
 * @throws {HumanError} `paste-shell-syntax` for pipes, redirections and the like, which only a shell understands.
 */
export function shellWords(line: string): string[] {
  const joined = line.replace(/\\\r?\n/g, ' ').trim();
  const words: string[] = [];
  for (const token of parse(joined, (name) => `\${${name}}`)) {
    if (typeof token === 'string') {
      words.push(token);
    } else if ('op' in token && token.op === 'glob') {
      words.push(token.pattern);
    } else if ('op' in token) {
      throw new HumanError(
        'paste-shell-syntax',
        l10n.t('The command line uses "{0}", which only a shell understands.', token.op),
        { remedy: l10n.t('Paste the plain command, or wrap it: sh -c "…".') },
      );
    }
  }
  return words;
}
