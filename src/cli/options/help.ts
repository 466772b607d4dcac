/** What `--help` prints, in plain English as the names of commands and options are. */
import { largest } from '../../base/lists.js';
import { type CommandName, commandNames, commandSpec } from './commandTable.js';
import { commonOptions, type OptionName, optionOf } from './optionTable.js';

const notes = `Accounts of "login" are kept unencrypted in pi-mcp/accounts.json beside the user's mcp.json of
Pi (~/.pi/agent), a file that only you may read. The editor keeps its own in its secret storage.

Exit status: 0 all well, 1 a server, a call or a change failed, 2 bad usage or configuration.
`;

/** @param command default: all of them. */
export function helpText(command?: CommandName): string {
  return command === undefined ? overview() : commandHelp(command);
}

function overview(): string {
  const heads = commandNames.map((name) => [headOf(name), commandSpec(name).summary] as const);
  return [
    'Usage: pi-mcp <command> [options]',
    '',
    'Commands:',
    ...columns(heads),
    '',
    '"pi-mcp <command> --help" shows the options of a command. Of every command:',
    ...columns(commonOptions.map(optionLine)),
    '',
    notes,
  ].join('\n');
}

function commandHelp(name: CommandName): string {
  const { syntax, summary, options, notes: more } = commandSpec(name);
  return [
    `Usage: pi-mcp ${name}${syntax === '' ? '' : ` ${syntax}`}`,
    '',
    `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`,
    '',
    'Options:',
    ...columns([...options, ...commonOptions].map(optionLine)),
    ...(more === undefined ? [] : ['', more]),
    '',
  ].join('\n');
}

function headOf(name: CommandName): string {
  const [word] = commandSpec(name).syntax.split(' [options]');
  return `${name} ${word ?? ''}`.trim();
}

function optionLine(name: OptionName): readonly [string, string] {
  const { short, value, text } = optionOf(name);
  const lead = short === undefined ? '' : `-${short}, `;
  return [`${lead}--${name}${value === undefined ? '' : ` ${value}`}`, text];
}

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = largest(rows.map(([head]) => head.length));
  return rows.map(([head, text]) => `  ${head.padEnd(width)}  ${text}`);
}
