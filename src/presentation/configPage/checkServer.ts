/** What can be said of a form while it is filled in, by the rules that count when it is saved. */
import { isHumanError } from '../../base/errors.js';
import type { WrittenSecret } from '../../config/fixes/secretKeeper.js';
import { parsePastedServers } from '../../config/paste/pastedServers.js';
import type {
  CommandOffer,
  FieldProblem,
  FormCheck,
  SaveServerParams,
  SecretNote,
} from '../../protocol/configProtocol.js';
import { toFormEntry } from './entryMapping.js';
import { isTyped, readServerDraft, refusalProblem, type SaveParts } from './saveServer.js';

/** Never rejects for what the user has entered so far; what cannot be said yet is left out. */
export async function checkServer(parts: SaveParts, request: SaveServerParams): Promise<FormCheck> {
  const [name, secrets] = await Promise.all([
    orNothing(() => checkName(parts, request)),
    orNothing(() => findSecrets(parts, request)),
  ]);
  const offer = commandOffer(request);
  return { name, offer, secrets: secrets ?? [] };
}

/** A file that is broken or gone says so when the form is saved. */
async function orNothing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isHumanError(error)) {
      return undefined;
    }
    throw error;
  }
}

async function checkName(
  { service }: SaveParts,
  { id, poolId, file, name }: SaveServerParams,
): Promise<FieldProblem | undefined> {
  const refusal = await service.configuration.checkName(name, { id, poolId, file });
  return refusal && refusalProblem(refusal);
}

async function findSecrets(
  { service, secrets }: SaveParts,
  request: SaveServerParams,
): Promise<readonly SecretNote[]> {
  const draft = await readServerDraft(service, request);
  // a secret may be entered before the command or the address
  const missing = request.entry.kind === 'stdio' ? { command: '-' } : { url: 'https://localhost' };
  const entry = { ...missing, ...draft.entry };
  const server = { name: request.name || 'server', entry };
  const { answers } = await secrets.plan([server], draft.pool, (secret) => isTyped(secret, draft));
  return answers.map(({ secret, key }) => toNote(secret, `\${input:${key.inputId}}`));
}

function toNote({ path, field }: WrittenSecret, reference: string): SecretNote {
  const last = path.at(-1);
  const label = typeof last === 'number' ? String(path[0] === 'command' ? last : last + 1) : last;
  const isOfMap = path.length > 1 && !field.includes('.');
  return {
    field,
    label: isOfMap && label !== undefined ? label : '',
    reference,
  };
}

/** A word alone may be any program; with blanks it may be a path, which only its user knows. */
function commandOffer({ entry }: SaveServerParams): CommandOffer | undefined {
  const line = entry.kind === 'stdio' ? entry.values.command : undefined;
  if (typeof line !== 'string' || !isMoreThanCommand(line)) {
    return undefined;
  }
  try {
    const [server] = parsePastedServers(line, 'command');
    return server && { line, name: server.name, entry: toFormEntry(server.entry) };
  } catch (error) {
    // half of a line, or of something else
    if (isHumanError(error)) {
      return undefined;
    }
    throw error;
  }
}

function isMoreThanCommand(line: string): boolean {
  return /\s/.test(line) || /^(?:[{"]|https?:\/\/)/.test(line);
}
