import * as http from 'node:http';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../base/errors.js';
import type { CliIo } from './cliTypes.js';

const variables = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];

/**
 * Reaches remote servers through the proxy of the environment (`HTTP_PROXY`, `HTTPS_PROXY`, `NO_PROXY`), which Node
 * ignores by itself. No effect before Node 24.14, which cannot.
 * @throws {HumanError} with code `configuration`.
 */
export function useEnvironmentProxy(env: CliIo['env']): void {
  if (!variables.some((name) => env[name])) {
    return;
  }
  try {
    const { setGlobalProxyFromEnv }: Partial<typeof http> = http;
    setGlobalProxyFromEnv?.({ ...env });
  } catch {
    // the error may show the address, and with it a password
    throw new HumanError('configuration', l10n.t('The proxy of the environment is not valid.'), {
      remedy: l10n.t('Correct HTTP_PROXY and HTTPS_PROXY: they take http:// addresses.'),
    });
  }
}
