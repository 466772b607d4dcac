import { HumanError } from '../../base/errors.js';
import { terminalText } from '../../base/text/plainText.js';
import type { CliSession } from '../session.js';

/**
 * Shows everything on stderr and returns once a person, or `--yes`, has agreed to it. Anything but a clear yes is a no.
 * @throws {HumanError} with code `unconfirmed`.
 */
export async function askYesNo(
  { io, flags }: Pick<CliSession, 'io' | 'flags'>,
  detail: string,
  question: string,
): Promise<void> {
  io.writeError(`${terminalText(detail)}\n\n`);
  if (flags.yes) {
    return;
  }
  if (!io.isTerminal) {
    throw new HumanError(
      'unconfirmed',
      'That needs an answer, and there is no terminal to ask at.',
      { remedy: 'Read what is shown, then add "--yes".' },
    );
  }
  io.writeError(`${terminalText(question)} [y/N] `);
  const answer = await io.readLine(io.signal, { takesBlank: true });
  if (!/^\s*y(?:es)?\s*$/i.test(answer ?? '')) {
    throw new HumanError('unconfirmed', 'Nothing was changed.');
  }
}
