import { findTool } from '../mcp/catalog/findTool.js';
import { callModelTool, resultForModel } from '../mcp/catalog/modelCall.js';
import { countCall } from '../mcp/catalog/records/toolStatistics.js';
import type { MappedToolResult } from '../mcp/catalog/results/toolResult.js';
import { ParameterHelp } from '../mcp/catalog/schema/parameterHelp.js';
import { loadTokenCounter } from '../mcp/catalog/tokens/tokenEstimate.js';
import type { McpServer } from '../mcp/mcpApi.js';
import type { CliCommand } from './arguments.js';
import { type CliResult, exitCodes } from './cliTypes.js';
import { timeLimit } from './connect.js';
import { type CliSession, findUsable } from './session.js';
import { openStatistics } from './statistics.js';

const keepAliveMs = 60_000;

type CallCommand = Extract<CliCommand, { readonly kind: 'call' }>;

/** Calls one tool, as `captureStats` says with its numbers kept. */
export async function runCall(session: CliSession, command: CallCommand): Promise<CliResult> {
  const { tool, args } = command;
  const server = findUsable(session, command.server);
  const limit = timeLimit(session);
  const [countTokens] = await Promise.all([loadTokenCounter(), server.ensureConnected(limit)]);
  const settings = session.service.settingsFor(session.folderUri);
  const statistics = await openStatistics(session);
  const startedAt = performance.now();
  try {
    const call = keepAlive(() =>
      callModelTool(server, tool, args, { signal: limit, maker: { by: 'commandLine' } }),
    );
    const called = { server: server.definition.name, tool };
    const mapped = await countCall(statistics, called, call, (result) =>
      resultForModel(result, server, settings, countTokens),
    );
    const durationMs = Math.round(performance.now() - startedAt);
    const help = mapped.isError ? helpFor(server, tool) : [];
    return mappedResult({ ...mapped, content: [...mapped.content, ...help] }, durationMs);
  } finally {
    await statistics.flush();
    statistics.dispose();
  }
}

function mappedResult({ content, isError }: MappedToolResult, durationMs: number): CliResult {
  const lines = content.map((block) =>
    block.type === 'text' ? block.text : `[image ${block.mimeType}]`,
  );
  return {
    document: { isError, content, durationMs },
    text: lines.map((line) => `${line}\n`).join(''),
    status: isError ? exitCodes.failed : exitCodes.ok,
  };
}

function helpFor({ catalog }: McpServer, name: string): MappedToolResult['content'] {
  const tool = findTool(catalog.value.tools, name);
  const text = tool && new ParameterHelp().textFor(name, tool.inputSchema);
  return text === undefined ? [] : [{ type: 'text', text }];
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
