import { whenAborted } from '../../base/async/cancellation.js';
import { quotedName } from '../../base/text/nameToken.js';
import { oneLine } from '../../base/text/plainText.js';
import type { AuthorizationPrompt } from '../../mcp/oauth/authorizationPrompt.js';
import type { CliIo } from '../cliTypes.js';

/** Shows on stderr what to enter on another device. Only who asked to sign in is asked for that. */
export function createDevicePrompt({ writeError }: Pick<CliIo, 'writeError'>): AuthorizationPrompt {
  return {
    begin: async ({ kind, serverName }) =>
      kind !== 'sign_in'
        ? undefined
        : {
            // the browser returns elsewhere
            redirectUrl: 'http://127.0.0.1/callback',
            wantsDevice: true,
            open: async () => undefined,
            showCode: async ({ address, userCode, completeAddress }, signal) => {
              const lead = `To sign in to ${quotedName(serverName)}, open:`;
              const code = `and enter the code ${oneLine(userCode)}`;
              const whole = completeAddress
                ? `or open this address, which has the code in it:\n\n  ${oneLine(completeAddress.href)}\n\n`
                : '';
              writeError(`${lead}\n\n  ${oneLine(address.href)}\n\n${code}\n${whole}`);
              await whenAborted(signal);
            },
            dispose: () => undefined,
          },
  };
}
