import { version } from '../../package.json';
import { findStatisticsPlace } from '../agent/policy/toolFeatures.js';
import {
  durationPercentile,
  parseStatistics,
  type ToolStatistic,
} from '../mcp/catalog/records/toolStatistics.js';
import type { McpServer } from '../mcp/mcpApi.js';
import { launchKind, stateText } from '../mcp/stateText.js';
import { troubleText } from '../mcp/trouble.js';
import { launchLines } from '../mcp/trust/launchLines.js';
import { readTextFile } from '../platform/boundedFile.js';
import type { CliResult } from './cliTypes.js';
import { connectAll, serverError, statusOf } from './connect.js';
import { markdownText } from './plainText.js';
import type { CliSession } from './session.js';

/** Connects the servers and reports on them without secrets. */
export async function runDoctor(session: CliSession): Promise<CliResult> {
  await connectAll(session, session.servers);
  const { version: nodeVersion, platform, arch } = process;
  const problems = session.service.pools
    .flatMap((pool) => pool.fileProblems)
    .map(({ path, problem }) => `- ${markdownText(path)}: ${markdownText(problem.message)}`);
  const statistics = await readStatistics(session);
  const report = [
    '# Pi MCP report',
    '',
    `Pi MCP ${version}, Node ${nodeVersion}, ${platform} ${arch}`,
    '',
    ...(problems.length > 0 ? ['## Files', '', ...problems, ''] : []),
    ...session.servers.flatMap(describeServer),
    ...(statistics.length > 0 ? ['## Calls', '', ...statistics.map(describeCalls), ''] : []),
  ].join('\n');
  return {
    document: { report },
    text: `${report}\n`,
    status: statusOf(session, session.servers),
  };
}

function describeServer({ definition, state, catalog }: McpServer): readonly string[] {
  const { name, scope, launch, origin, problems } = definition;
  const error = serverError(state.value);
  const { tools, resources, prompts, serverInfo, protocolVersion } = catalog.value;
  const facts = [
    `scope ${scope}, kind ${launchKind(definition)}, state ${state.value.kind}`,
    `source ${origin.path}`,
    ...(launch ? launchLines(launch).map(({ label, text }) => `${label}: ${text}`) : []),
    ...(serverInfo ? [`server ${serverInfo.name} ${serverInfo.version}`] : []),
    ...(protocolVersion ? [`protocol ${protocolVersion}`] : []),
    `${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`,
    ...(state.value.kind === 'connected'
      ? [
          `connected in ${Math.round(state.value.connectMs)} ms`,
          ...(state.value.slowLists ? [stateText(state.value).sentence] : []),
        ]
      : []),
    ...problems.map(({ message }) => message),
    ...(error ? [`${error.code}: ${troubleText(error)}`, ...(error.stderrTail ?? [])] : []),
  ];
  return [`## ${markdownText(name)}`, '', ...facts.map((fact) => `- ${markdownText(fact)}`), ''];
}

/** What `captureStats` has kept; nothing when it is off. */
async function readStatistics({ service, environment }: CliSession) {
  const { path } = findStatisticsPlace(service, environment);
  if (path === undefined) {
    return [];
  }
  try {
    return parseStatistics(JSON.parse(await readTextFile(path))) ?? [];
  } catch {
    // never kept, or damaged
    return [];
  }
}

function describeCalls(statistic: ToolStatistic): string {
  const { server, tool, calls, errors, bytes, tokens } = statistic;
  const failures = Object.entries(errors).map(([code, count]) => `${count} ${code}`);
  const facts = [
    `${calls} calls`,
    ...(failures.length > 0 ? [`failed: ${failures.join(', ')}`] : []),
    `median ${durationPercentile(statistic, 50) ?? 0} ms`,
    `p95 ${durationPercentile(statistic, 95) ?? 0} ms`,
    `${bytes} bytes`,
    `${tokens} tokens`,
  ];
  return `- ${markdownText(`${server}/${tool}`)}: ${markdownText(facts.join(', '))}`;
}
