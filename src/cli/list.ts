import { withRemedy } from '../base/errors.js';
import type { ConfigProblem } from '../config/definition.js';
import { rootsLine } from '../config/roots/rootFolders.js';
import type { McpServer } from '../mcp/mcpApi.js';
import { launchKind } from '../mcp/stateKinds.js';
import { stateText } from '../mcp/trouble/stateText.js';
import { troubleLines, troubleOf } from '../mcp/trouble/trouble.js';
import { launchLines, redactedDescription } from '../mcp/trust/launchLines.js';
import { type CliResult, exitCodes, noServers, resultOf } from './cliTypes.js';
import { scopeIn } from './edit/places.js';
import { type CliSession, fileProblemLine, unusableParts } from './session.js';

/** Shows what is configured; connects nothing. */
export async function runList({ service, servers }: CliSession): Promise<CliResult> {
  const found = service.pools.flatMap(({ fileProblems }) => fileProblems);
  const problems = found.map(({ path, problem }) => listProblem(problem, path));
  const document = { servers: servers.map(listServer), problems };
  const lines = [...servers.flatMap(serverLines), ...found.map(fileProblemLine)];
  const hasInvalid = servers.some(({ state }) => state.value.kind === 'invalid');
  return resultOf(
    document,
    lines.length > 0 ? lines : [noServers],
    unusableParts(service).length > 0 || hasInvalid ? exitCodes.usage : exitCodes.ok,
  );
}

export function serverLines({ definition, state }: McpServer): readonly string[] {
  const { name, scope, origin, hides, launch, problems } = definition;
  const { kind } = state.value;
  const trouble = troubleOf(state.value, 'console');
  const roots = rootsLine(definition);
  const [first, ...others] = trouble ? troubleLines(trouble) : [stateText(state.value).sentence];
  return [
    `${name}  [${scopeIn(scope, origin)}, ${launchKind(definition)}]  ${kind}: ${first}`,
    ...others.map((line) => `  ${line}`),
    `  from ${origin.path}`,
    ...hides.map(({ path }) => `  hides the entry in ${path}`),
    ...(launch ? launchLines(launch).map(({ label, text }) => `  ${label}: ${text}`) : []),
    ...(roots === undefined ? [] : [`  ${roots}`]),
    ...problems
      .filter(({ severity }) => severity === 'warning')
      .map(({ message, remedy }) => `  ! ${withRemedy(message, remedy)}`),
  ];
}

export function listServer({ definition, state }: McpServer) {
  const { name, scope, folder, origin, hides, problems, launch } = definition;
  return {
    name,
    scope,
    folder: folder?.fsPath ?? null,
    kind: launchKind(definition),
    state: state.value.kind,
    switchedOffIn:
      state.value.kind === 'disabled' && state.value.by === 'folder' ? state.value.path : null,
    source: origin.path,
    layer: origin.layer,
    launch: launch ? redactedDescription(launch) : null,
    roots: definition.options.roots ?? null,
    hides: hides.map(({ path }) => path),
    problems: problems.map((problem) => listProblem(problem, origin.path)),
  };
}

function listProblem({ code, severity, message, remedy }: ConfigProblem, source: string) {
  return { code, severity, message, remedy, source };
}
