/** What Doctor says, for its page and for the command line. It connects nothing and ends nothing. */
import * as l10n from '@vscode/l10n';
import { counted } from '../../base/text/counted.js';
import { secretsOfLaunch } from '../../config/launch/launchSecrets.js';
import { redactArgs } from '../../config/secrets/redact.js';
import { createMask, maskDocument } from '../../config/secrets/secretMask.js';
import { durationPercentile } from '../../mcp/catalog/records/statisticFigures.js';
import type { ToolStatistic } from '../../mcp/catalog/records/toolStatistics.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { byUrgency } from '../../mcp/stateKinds.js';
import { commandLine } from '../../platform/commandLine.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { Leftover } from '../../platform/process/leftovers.js';
import type {
  DoctorDoubleStart,
  DoctorFact,
  DoctorLeftover,
  DoctorReport,
} from '../../protocol/doctor/doctorProtocol.js';
import { formatAge } from '../consent/formatAge.js';
import { type ServerWords, serverReport } from './serverReport.js';

/** What is looked up for a report, which takes a while; the state of the servers is read when it is made. */
export interface DoctorFindings {
  readonly machine: readonly DoctorFact[];
  readonly doubleStarts: readonly DoctorDoubleStart[];
  /** `undefined`: not known. */
  readonly leftovers: readonly Leftover[] | undefined;
  readonly calls: readonly ToolStatistic[];
}

export interface DoctorParts extends ServerWords {
  readonly service: Pick<McpService, 'pools' | 'trust'>;
  readonly servers: readonly McpServer[];
  readonly environment: Pick<HostEnvironment, 'getVariable'>;
  readonly versions: readonly DoctorFact[];
  readonly findings: DoctorFindings;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Such as `en`. */
  readonly language: string;
}

/** Every text in it is redacted: as each surface does it, and once more as a whole. */
export function doctorReport(parts: DoctorParts): DoctorReport {
  const { service, findings, environment } = parts;
  const servers = byUrgency(parts.servers);
  const report: DoctorReport = {
    isRestricted: !service.trust.isWorkspaceTrusted,
    versions: parts.versions,
    machine: findings.machine,
    files: service.pools
      .flatMap(({ fileProblems }) => fileProblems)
      .map(({ path, problem }) => ({ path, message: problem.message })),
    servers: servers.map((server) => serverReport(server, parts)),
    doubleStarts: findings.doubleStarts,
    leftovers: findings.leftovers?.map((leftover) => leftoverReport(leftover, parts)),
    calls: findings.calls.map(callFact),
  };
  const secrets = service.pools
    .flatMap((pool) => pool.servers)
    .flatMap(({ definition: { launch } }) =>
      launch ? secretsOfLaunch(launch, (name) => environment.getVariable(name)) : [],
    );
  return masked(report, secrets);
}

/** What names something for the extension stays: nobody is shown it. */
function masked(report: DoctorReport, secrets: readonly string[]): DoctorReport {
  const whole = maskDocument(report, createMask([...new Set(secrets)])) as DoctorReport;
  return {
    ...whole,
    servers: whole.servers.map((server, index) => ({
      ...server,
      id: report.servers[index]?.id ?? '',
    })),
    leftovers: whole.leftovers?.map((leftover, index) => ({
      ...leftover,
      key: report.leftovers?.[index]?.key ?? '',
    })),
  };
}

function leftoverReport(
  { key, pid, argv, startedAt, processCount, window }: Leftover,
  { now, language }: DoctorParts,
): DoctorLeftover {
  const since = (at: number) =>
    `${new Date(at).toLocaleString(language)} (${formatAge(now - at, language)})`;
  const folders = window.folders.length === 0 ? l10n.t('not known') : window.folders.join(', ');
  return {
    key,
    command: argv.length === 0 ? l10n.t('not known') : commandLine(redactArgs(argv)),
    facts: [
      { label: l10n.t('process'), text: String(pid) },
      { label: l10n.t('running since'), text: since(startedAt) },
      ...(processCount > 1 ? [{ label: l10n.t('processes'), text: String(processCount) }] : []),
      { label: l10n.t('folders of its window'), text: folders },
      {
        label: l10n.t('its window'),
        text: l10n.t('process {0}, since {1}', window.pid, since(window.startedAt)),
      },
    ],
  };
}

function callFact(statistic: ToolStatistic): DoctorFact {
  const { server, tool, calls, errors, bytes, tokens } = statistic;
  const failures = Object.entries(errors).map(([code, count]) => `${count} ${code}`);
  const facts = [
    counted(l10n.t('1 call|{0} calls'), calls),
    ...(failures.length > 0 ? [l10n.t('failed: {0}', failures.join(', '))] : []),
    l10n.t('median {0} ms', durationPercentile(statistic, 50) ?? 0),
    l10n.t('p95 {0} ms', durationPercentile(statistic, 95) ?? 0),
    l10n.t('{0} bytes', bytes),
    l10n.t('{0} tokens', tokens),
  ];
  return { label: `${server}/${tool}`, text: facts.join(', ') };
}
