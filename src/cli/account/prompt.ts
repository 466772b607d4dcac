import { quotedName } from '../../base/text/nameToken.js';
import { oneLine } from '../../base/text/plainText.js';
import type { AuthorizationPrompt } from '../../mcp/oauth/authorizationPrompt.js';
import { LoopbackPrompt } from '../../mcp/oauth/loopbackPrompt.js';
import type { CliFlags } from '../arguments.js';
import type { CliIo } from '../cliTypes.js';
import { createDevicePrompt } from './devicePrompt.js';

/** Says on stderr where to sign in; opens a browser only for a person at a terminal. */
export function createCliPrompt(
  { noBrowser, device }: CliFlags,
  io: CliIo,
  fixedRedirectUrl: string | undefined,
): AuthorizationPrompt {
  if (device) {
    return createDevicePrompt(io);
  }
  const { isTerminal, writeError, openBrowser, readLine } = io;
  const opens = isTerminal && !noBrowser;
  return new LoopbackPrompt({
    openUrl: async (url, { serverName }) => {
      const name = quotedName(serverName);
      const lead = opens
        ? `A browser opens to sign in to ${name}. If it does not, open:`
        : `To sign in to ${name}, open:`;
      writeError(`${lead}\n\n  ${oneLine(url.href)}\n\n`);
      if (opens) {
        openBrowser(url);
      }
    },
    fixedRedirectUrl,
    askForRedirect: isTerminal
      ? (_request, signal) => {
          writeError(
            'If the browser ends on a page that it cannot open, paste its address here:\n',
          );
          return readLine(signal);
        }
      : undefined,
  });
}
