import {
  findStatisticsPlace,
  parseStatistics,
  type ToolStatistic,
} from '../../mcp/catalog/records/toolStatistics.js';
import type { McpService } from '../../mcp/mcpApi.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { readJsonFile } from '../../platform/stores/jsonFile.js';
import type { DoctorFindings } from './doctorReport.js';
import { type DoubleStartParts, readDoubleStarts } from './doubleStarts.js';
import { machineFacts } from './machineFacts.js';

export interface LookParts extends DoubleStartParts {
  readonly service: Pick<McpService, 'pools' | 'leftovers'>;
}

/** Reads files and the table of processes, and asks the login shell; starts no server. Never rejects. */
export async function lookAround(parts: LookParts): Promise<DoctorFindings> {
  const { service, environment } = parts;
  const [machine, doubleStarts, leftovers, calls] = await Promise.all([
    machineFacts(environment),
    readDoubleStarts(parts),
    service.leftovers.list(),
    readCalls(service, environment),
  ]);
  return { machine, doubleStarts, leftovers, calls };
}

/** What `captureStats` has kept; nothing when it is off. */
async function readCalls(
  service: Pick<McpService, 'pools'>,
  environment: HostEnvironment,
): Promise<readonly ToolStatistic[]> {
  const { path } = findStatisticsPlace(service, environment);
  const kept = path === undefined ? undefined : await readJsonFile(path);
  return parseStatistics(kept) ?? [];
}
