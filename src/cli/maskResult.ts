import { secretsOfLaunch } from '../config/launch/launchSecrets.js';
import { createMask, maskDocument } from '../config/secrets/secretMask.js';
import type { CliResult } from './cliTypes.js';
import type { CliSession } from './session.js';

/** The last look at what is printed: nothing of what the configuration keeps secret is in it, wherever it came from. */
export function maskResult(
  { service, environment }: CliSession,
  { document, text, status }: CliResult,
): CliResult {
  const readVariable = (name: string) => environment.getVariable(name);
  const secrets = service.pools
    .flatMap(({ servers }) => servers)
    .flatMap(({ definition: { launch } }) => (launch ? secretsOfLaunch(launch, readVariable) : []));
  const mask = createMask(secrets);
  return { document: maskDocument(document, mask), text: mask(text), status };
}
