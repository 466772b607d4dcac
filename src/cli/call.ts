import * as l10n from '@vscode/l10n';
import { HumanError } from '../base/errors.js';
import { callResourceTool, resourceTool } from '../mcp/catalog/resourceTool.js';
import { mapToolResult, maxCharactersOf } from '../mcp/catalog/toolResult.js';
import type { McpServerState } from '../mcp/mcpTypes.js';
import type { CliCommand } from './arguments.js';
import { type CliResult, exitCodes } from './cliTypes.js';
import { oneLine } from './plainText.js';
import type { CliSession } from './session.js';

const keepAliveMs = 60_000;

type CallCommand = Extract<CliCommand, { readonly kind: 'call' }>;

/**
 * Calls one tool. A folder's server goes before a global one of its name, as for the agent, unless it may not run: then it
 * must not stand in the way of the user's.
 */
export async function runCall(session: CliSession, command: CallCommand): Promise<CliResult> {
  const { service, folderUri, flags, signal } = session;
  const all = service.pools.flatMap((pool) => pool.servers);
  const named = [...service.serversFor(folderUri), ...all].filter(
    ({ definition }) => definition.name === command.server,
  );
  const server = named.find(({ state }) => !isHeldBack(state.value)) ?? named[0];
  if (!server) {
    throw new HumanError('usage', l10n.t('No server is named "{0}".', command.server), {
      remedy: l10n.t('Known servers: {0}.', all.map((s) => oneLine(s.definition.name)).join(', ')),
    });
  }
  const limit =
    flags.timeoutMs === undefined
      ? signal
      : AbortSignal.any([signal, AbortSignal.timeout(flags.timeoutMs)]);
  await server.ensureConnected(limit);
  const startedAt = performance.now();
  const isReader = resourceTool(server)?.name === command.tool;
  const result = await keepAlive(() =>
    isReader
      ? callResourceTool(server, command.args, { signal: limit })
      : server.callTool(command.tool, command.args, { signal: limit }),
  );
  const durationMs = Math.round(performance.now() - startedAt);
  const { truncation } = service.settingsFor(folderUri);
  const { content, isError } = mapToolResult(result, maxCharactersOf(truncation));
  const lines = content.map((block) =>
    block.type === 'text' ? block.text : `[image ${block.mimeType}]`,
  );
  return {
    document: { isError, content, durationMs },
    text: lines.map((line) => `${line}\n`).join(''),
    status: isError ? exitCodes.failed : exitCodes.ok,
  };
}

function isHeldBack({ kind }: McpServerState): boolean {
  return kind === 'trust_required' || kind === 'disabled' || kind === 'invalid';
}

/** Between two questions about a task nothing else may hold the process. */
async function keepAlive<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, keepAliveMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
