import { isHumanError, withRemedy } from '../../base/errors.js';
import type { McpServerEntry } from '../../config/configuration.js';
import { type CliResult, exitCodes, resultOf } from '../cliTypes.js';
import { listServer, serverLines } from '../list.js';
import type { CliSession } from '../session.js';
import { type Declared, findDeclared } from './places.js';

/** Shows one server as it is declared; connects nothing. */
export async function runGet(session: CliSession, name: string): Promise<CliResult> {
  const declared = findDeclared(session, name, session.flags.scope);
  const { server, origin, scope } = declared;
  const entry = await readEntry(session, declared);
  const problems = server.definition.problems.map(
    ({ message, remedy }) => `  ${withRemedy(message, remedy)}`,
  );
  const lines = [
    ...serverLines(server),
    `  scope ${scope}`,
    ...(entry === undefined ? [] : [`  entry in ${origin.path}: ${JSON.stringify(entry)}`]),
    ...problems,
  ];
  return resultOf(
    { server: { ...listServer(server), place: { scope, path: origin.path }, entry } },
    lines,
    server.state.value.kind === 'invalid' ? exitCodes.usage : exitCodes.ok,
  );
}

/** Secrets hidden; `null` in a file of another program, or one that is broken. */
async function readEntry(
  { service }: CliSession,
  { server, origin }: Declared,
): Promise<McpServerEntry | null> {
  try {
    return (await service.configuration.read(server.id, origin.path)).entry;
  } catch (error) {
    if (isHumanError(error)) {
      return null;
    }
    throw error;
  }
}
