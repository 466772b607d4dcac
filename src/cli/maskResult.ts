import { createMask, maskDocument } from '../config/secrets/secretMask.js';
import { secretsOfServers } from '../mcp/service/serverSecrets.js';
import type { CliResult } from './cliTypes.js';
import type { CliSession } from './session.js';

/** The last look at what is printed: nothing of what the configuration keeps secret is in it, wherever it came from. */
export function maskResult(
  { service, environment }: CliSession,
  { document, text, status }: CliResult,
): CliResult {
  const mask = createMask(secretsOfServers(service, environment));
  return { document: maskDocument(document, mask), text: mask(text), status };
}
