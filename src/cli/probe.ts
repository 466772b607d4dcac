import { oneLine } from '../base/text/plainText.js';
import type { McpServer } from '../mcp/mcpApi.js';
import { stateText } from '../mcp/trouble/stateText.js';
import { troubleLines } from '../mcp/trouble/trouble.js';
import { changeSentence } from '../presentation/consent/consentText.js';
import { type CliResult, noServers } from './cliTypes.js';
import { connectAll, errorDocument, exitError, exitStatus } from './connect.js';
import { scopeIn } from './edit/places.js';
import type { CliSession } from './session.js';

/** Connects the servers and shows how it went. */
export async function runProbe(session: CliSession): Promise<CliResult> {
  await connectAll(session, session.servers);
  const servers = session.servers.map(probed);
  return {
    document: { servers },
    text: session.servers.map(probeText).join('') || `${noServers}\n`,
    status: exitStatus(session, session.servers),
  };
}

function probed({ definition, state, catalog }: McpServer) {
  const isConnected = state.value.kind === 'connected';
  const tools = isConnected ? catalog.value.tools : [];
  return {
    name: definition.name,
    scope: definition.scope,
    folder: definition.folder?.fsPath ?? null,
    state: state.value.kind,
    toolCount: tools.length,
    tools: tools.map(({ name, description }) => ({ name, description: description ?? '' })),
    connectMs: state.value.kind === 'connected' ? Math.round(state.value.connectMs) : null,
    transport: state.value.kind === 'connected' ? state.value.transport : null,
    notices: catalog.value.notices,
    changes: changesDocument({ catalog }),
    error: errorDocument(state.value),
  };
}

/** What is not what was agreed to; see `definitions` of the entry. */
export function changesDocument({ catalog }: Pick<McpServer, 'catalog'>) {
  return (catalog.value.changes ?? []).map(({ kind, name, shown, before }) => ({
    kind,
    name,
    isNew: before === undefined,
    shown,
  }));
}

function probeText({ definition, state, catalog }: McpServer): string {
  const error = exitError(state.value);
  const head = `${oneLine(definition.name)}  [${scopeIn(definition.scope, definition.origin)}]  ${state.value.kind}`;
  if (state.value.kind === 'connected') {
    const tools = catalog.value.tools.map(({ name }) => `    ${oneLine(name)}\n`);
    const changes = (catalog.value.changes ?? []).map(
      (change) => `    ${oneLine(changeSentence(change))}\n`,
    );
    return `${head} in ${Math.round(state.value.connectMs)} ms, ${tools.length} tools\n${tools.join('')}${changes.join('')}`;
  }
  const tail = (error?.stderrTail ?? []).map((line) => `    | ${oneLine(line)}\n`);
  const [first = '', ...others] = error ? troubleLines(error) : [stateText(state.value).sentence];
  const more = others.map((line) => `    ${oneLine(line)}\n`);
  return `${head}: ${oneLine(first)}\n${more.join('')}${tail.join('')}`;
}
