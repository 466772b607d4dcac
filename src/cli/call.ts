import { callModelTool, resultForModel } from '../mcp/catalog/modelCall.js';
import { loadTokenCounter } from '../mcp/catalog/tokens/tokenEstimate.js';
import { isBlocked } from '../mcp/stateKinds.js';
import { blockedError } from '../mcp/trouble.js';
import type { CliCommand } from './arguments.js';
import { type CliResult, exitCodes } from './cliTypes.js';
import { timeLimit } from './connect.js';
import { findServer } from './findServer.js';
import type { CliSession } from './session.js';

const keepAliveMs = 60_000;

type CallCommand = Extract<CliCommand, { readonly kind: 'call' }>;

/** Calls one tool. */
export async function runCall(session: CliSession, command: CallCommand): Promise<CliResult> {
  const { service, folderUri } = session;
  const server = findServer(session, command.server);
  const state = server.state.value;
  if (isBlocked(state)) {
    throw blockedError(state, 'console');
  }
  const limit = timeLimit(session);
  const [countTokens] = await Promise.all([loadTokenCounter(), server.ensureConnected(limit)]);
  const startedAt = performance.now();
  const result = await keepAlive(() =>
    callModelTool(server, command.tool, command.args, { signal: limit }),
  );
  const durationMs = Math.round(performance.now() - startedAt);
  const settings = service.settingsFor(folderUri);
  const { content, isError } = await resultForModel(result, server, settings, countTokens);
  const lines = content.map((block) =>
    block.type === 'text' ? block.text : `[image ${block.mimeType}]`,
  );
  return {
    document: { isError, content, durationMs },
    text: lines.map((line) => `${line}\n`).join(''),
    status: isError ? exitCodes.failed : exitCodes.ok,
  };
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
