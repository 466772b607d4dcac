import type { WorkspaceFolder } from '../../src/config/definition.js';
import type { McpServer, McpService } from '../../src/mcp/mcpApi.js';
import type { HostEnvironment } from '../../src/platform/ports.js';
import type { Leftover } from '../../src/platform/process/leftovers.js';
import { doctorReport } from '../../src/presentation/doctor/doctorReport.js';
import { lookAround } from '../../src/presentation/doctor/lookAround.js';
import { editorProblem } from '../../src/presentation/doctor/serverReport.js';
import type { DoctorReport } from '../../src/protocol/doctor/doctorProtocol.js';

interface ReportScene {
  readonly service: McpService;
  readonly environment: HostEnvironment;
  readonly folders: readonly WorkspaceFolder[];
}

/** What the page in an editor is sent, and its button copies. */
export async function reportOf(
  { service, environment, folders }: ReportScene,
  leftovers: readonly Leftover[] = [],
): Promise<DoctorReport> {
  const nameOf = ({ definition }: McpServer) => definition.name;
  const { servers } = service;
  const findings = await lookAround({
    service,
    servers,
    workspace: { folders },
    environment,
    nameOf,
    seen: servers.map((server) => ({
      server,
      isPredicted: true,
      running: [{ client: 'cursor', pid: 7 }],
      choice: undefined,
    })),
  });
  return doctorReport({
    service,
    servers,
    environment,
    nameOf,
    problemOf: editorProblem,
    adviceOf: ({ definition }) => definition.problems,
    versions: [],
    findings: { ...findings, leftovers: [...(findings.leftovers ?? []), ...leftovers] },
    now: Date.UTC(2026, 10, 22, 12),
    language: 'en',
  });
}

/** Processes that run what the entries say, as a window that crashed leaves them. */
export function leftoversOf({ servers }: Pick<McpService, 'servers'>): readonly Leftover[] {
  return servers.flatMap(({ definition: { launch } }, index) =>
    launch?.kind === 'stdio'
      ? [
          {
            key: `leftover ${index}`,
            pid: 100 + index,
            argv: [launch.command, ...launch.args],
            startedAt: Date.UTC(2026, 10, 22, 10),
            processCount: 2,
            window: { pid: 50, startedAt: Date.UTC(2026, 10, 22, 9), folders: ['/visible/shop'] },
          },
        ]
      : [],
  );
}
