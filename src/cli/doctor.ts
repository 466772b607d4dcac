import { devDependencies, version } from '../../package.json';
import type { McpServer } from '../mcp/mcpApi.js';
import { systemClock } from '../platform/clock.js';
import { doctorMarkdown } from '../presentation/doctor/doctorMarkdown.js';
import { doctorReport } from '../presentation/doctor/doctorReport.js';
import { lookAround } from '../presentation/doctor/lookAround.js';
import { versionFacts } from '../presentation/doctor/versions.js';
import type { CliResult } from './cliTypes.js';
import { connectAll, exitError, exitStatus } from './connect.js';
import type { CliSession } from './session.js';

/** Connects the servers and reports on them without secrets. */
export async function runDoctor(session: CliSession): Promise<CliResult> {
  const { service, servers, environment, folder } = session;
  await connectAll(session, servers);
  const nameOf = ({ definition }: McpServer) => definition.name;
  const report = doctorReport({
    service,
    servers,
    environment,
    nameOf,
    problemOf: exitError,
    adviceOf: ({ definition }) => definition.problems,
    versions: versionFacts({ version, devDependencies }),
    findings: await lookAround({
      service,
      servers,
      workspace: { folders: [folder] },
      environment,
      nameOf,
    }),
    now: systemClock.now(),
    language: Intl.DateTimeFormat().resolvedOptions().locale,
  });
  const text = doctorMarkdown(report);
  return { document: { report: text }, text: `${text}\n`, status: exitStatus(session, servers) };
}
