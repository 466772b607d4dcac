import * as l10n from '@vscode/l10n';
import { type ParseEntry, parse } from 'shell-quote';
import { HumanError } from '../../../base/errors.js';

/**
 * Splits a command line as a POSIX shell would, without running or expanding anything: `$VAR` becomes `${VAR}`, a
 * glob stays as written.
 * @throws {HumanError} `paste-shell-syntax` for pipes, redirections and the like, which only a shell understands, and
 * for what no shell would.
 */
export function shellWords(line: string): string[] {
  const joined = line.replace(/\\\r?\n/g, ' ').trim();
  const words: string[] = [];
  for (const token of parsed(joined)) {
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

function parsed(line: string): readonly ParseEntry[] {
  try {
    return parse(line, (name) => `\${${name}}`);
  } catch (error) {
    throw new HumanError(
      'paste-shell-syntax',
      l10n.t('The command line uses a variable in a way that no shell understands.'),
      { remedy: l10n.t('Write it as {0}.', '${NAME}'), cause: error },
    );
  }
}
