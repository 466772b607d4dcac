import { oneLine, terminalText } from '../../base/text/plainText.js';
import { type ExportClient, exportLabels } from '../../config/export/clientFormats.js';
import { exportServers, lossLines } from '../../config/export/exportServers.js';
import { declarationOf } from '../../config/inputs/inputDeclaration.js';
import { type CliResult, exitCodes } from '../cliTypes.js';
import type { CliSession } from '../session.js';
import { type Declared, findDeclared } from './places.js';

/** Servers in the words of another client. Its files are not written, and nothing secret is told. */
export async function runExport(
  session: CliSession,
  client: ExportClient,
  names: readonly string[],
): Promise<CliResult> {
  const { service, flags, io } = session;
  const servers = await Promise.all(
    declared(session, names).map(async ({ server, origin }) => {
      const { name, entry } = await service.configuration.read(server.id, origin.path);
      const inputs = service.getPool(server.definition.poolId)?.inputs ?? [];
      return { name, entry, inputs: inputs.map(declarationOf) };
    }),
  );
  const result = exportServers(servers, client);
  const lines = lossLines(result, servers.length);
  if (lines.length > 0 && !flags.json) {
    const heading = `In ${exportLabels[client]} this is different:`;
    io.writeError(
      terminalText([heading, ...lines.map((line) => `  ${oneLine(line)}`), ''].join('\n')),
    );
  }
  return {
    document: { client, ...result },
    text: result.text,
    status: exitCodes.ok,
  };
}

/** What another program declares is that program's to hand on. */
function declared(
  session: CliSession,
  names: readonly string[],
): readonly Pick<Declared, 'server' | 'origin'>[] {
  if (names.length > 0) {
    return names.map((name) => findDeclared(session, name, session.flags.scope));
  }
  return session.service.servers
    .filter(({ definition }) => definition.origin.layer !== 'import')
    .map((server) => ({ server, origin: server.definition.origin }));
}
