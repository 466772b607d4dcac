import type { McpServer } from '../mcp/mcpApi.js';
import { launchKind } from '../mcp/stateText.js';
import { launchSummary } from '../mcp/trust/launchSummary.js';
import type { CliResult } from './cliTypes.js';
import { connectAll, serverError, statusOf } from './connect.js';
import type { CliSession } from './session.js';

/** Connects the servers and reports on them without secrets. */
export async function runDoctor(session: CliSession): Promise<CliResult> {
  await connectAll(session, session.servers);
  const { version, platform, arch } = process;
  const problems = session.service.pools
    .flatMap((pool) => pool.fileProblems)
    .map(({ path, problem }) => `- ${path}: ${problem.message}`);
  const report = [
    '# Pi MCP report',
    '',
    `Node ${version}, ${platform} ${arch}`,
    '',
    ...(problems.length > 0 ? ['## Files', '', ...problems, ''] : []),
    ...session.servers.flatMap(describeServer),
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
    ...(launch ? [`launch ${JSON.stringify(launchSummary(launch))}`] : []),
    ...(serverInfo ? [`server ${serverInfo.name} ${serverInfo.version}`] : []),
    ...(protocolVersion ? [`protocol ${protocolVersion}`] : []),
    `${tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`,
    ...(state.value.kind === 'connected' ? [`connected in ${state.value.connectMs} ms`] : []),
    ...problems.map(({ message }) => message),
    ...(error ? [`${error.code}: ${error.message}`, ...(error.stderrTail ?? [])] : []),
  ];
  return [`## ${name}`, '', ...facts.map((fact) => `- ${fact}`), ''];
}
