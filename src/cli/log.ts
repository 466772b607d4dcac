import { oneLine } from '../base/text/plainText.js';
import { callsAsCsv, callsAsJsonLines } from '../mcp/callLog/callExport.js';
import type { FoundCalls } from '../mcp/callLog/callFiles.js';
import type { CallRecord } from '../mcp/callLog/callRecord.js';
import type { CliCommand } from './arguments.js';
import { type CliResult, exitCodes } from './cliTypes.js';
import type { CliSession } from './session.js';

type LogCommand = Extract<CliCommand, { readonly kind: 'log' }>;

/** Calls that are shown at once, the newest. */
const maxShown = 20_000;

/** Shows calls of tools of the folder's servers and of the user's own; connects nothing. */
export async function runLog(
  { callFiles, folder }: Pick<CliSession, 'callFiles' | 'folder'>,
  { since, server, format }: LogCommand,
): Promise<CliResult> {
  const folders = [folder.fsPath, undefined];
  const found = await callFiles.read({ since, folders, server, most: maxShown });
  return { document: found, text: textOf(found, format), status: exitCodes.ok };
}

function textOf({ calls, skipped, isPart }: FoundCalls, format: LogCommand['format']): string {
  if (format) {
    return format === 'csv' ? callsAsCsv(calls) : callsAsJsonLines(calls);
  }
  const notes = [
    ...(calls.length === 0
      ? ['No calls are logged. The setting "piMcp.log.keepDays" of VS Code switches the log on.']
      : []),
    ...(isPart ? [`These are the newest ${calls.length} calls; "--since" shows others.`] : []),
    ...(skipped > 0 ? [`${skipped} lines of the log could not be read.`] : []),
  ];
  return [...calls.map(lineOf), ...notes].map((line) => `${oneLine(line)}\n`).join('');
}

function lineOf({ time, by, name, server, tool, ...call }: CallRecord): string {
  const maker = name === undefined ? by : `${by} ${name}`;
  const allowed = [call.approval, call.rule].filter((part) => part !== undefined).join(' ');
  const args = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  return [time, maker, `${server}/${tool}`, call.outcome, `${call.ms} ms`, allowed, args]
    .filter((part) => part !== '')
    .join('  ');
}
