/** A call as text that runs it again elsewhere. */
import type { JsonObject } from '../../base/json.js';
import { gatewayVariables } from '../gateway/clientConfiguration.js';
import { quoteJsonPart, quoteWord, type ShellKind, shellWord } from './shellWords.js';
import type { HiddenArgument } from './withoutSecrets.js';

export interface CopiedCall {
  readonly server: string;
  readonly tool: string;
  /** With words for secrets. */
  readonly args: JsonObject;
  /** What the words stand for. Default: there are none. */
  readonly hidden?: readonly HiddenArgument[];
  /** Path of the folder whose server it is. */
  readonly folder: string | undefined;
}

/**
 * Where each secret is taken from when the text is run, in their order: variables of the environment, each of another
 * name. They hold what stands between the quotes of JSON.
 */
export function secretVariables(hidden: readonly HiddenArgument[]): readonly string[] {
  const taken = new Set<string>();
  return hidden.map(({ name }) => {
    const base = `PI_MCP_${name.replaceAll(/\W+/g, '_').toUpperCase().slice(0, 60) || 'SECRET'}`;
    let variable = base;
    for (let count = 2; taken.has(variable); count++) {
      variable = `${base}_${count}`;
    }
    taken.add(variable);
    return variable;
  });
}

/** JSON as one argument of a shell, with the variables in the place of secrets. */
function quoteJson(value: JsonObject, hidden: readonly HiddenArgument[], kind: ShellKind): string {
  const isPowerShell = kind === 'windows';
  const variables = secretVariables(hidden);
  let rest = JSON.stringify(value);
  const parts: string[] = [];
  // walked in the order in which JSON is written
  hidden.forEach(({ word, isText }, index) => {
    const written = JSON.stringify(word);
    const at = rest.indexOf(written);
    const around = isText ? '"' : '';
    const name = variables[index];
    parts.push(
      quoteJsonPart(`${rest.slice(0, at)}${around}`, kind),
      isPowerShell ? `$\{env:${name}}` : `"$\{${name}:?}"`,
    );
    rest = `${around}${rest.slice(at + written.length)}`;
  });
  parts.push(quoteJsonPart(rest, kind));
  return isPowerShell && parts.length > 1 ? `(${parts.join(' + ')})` : parts.join('');
}

/** @throws {HumanError} when a line of Windows cannot hold a name or the folder */
export function commandLineOf(
  { server, tool, args, hidden = [], folder }: CopiedCall,
  kind: ShellKind,
): string {
  const place = folder === undefined ? [] : ['--folder', shellWord(folder, kind)];
  const json = quoteJson(args, hidden, kind);
  const words = [shellWord(server, kind), shellWord(tool, kind), json];
  return ['pi-mcp', 'call', ...place, ...words].join(' ');
}

/**
 * For curl, to the gateway, in the terminals that know its address and its token: neither is part of the text. It is a
 * request of MCP 2026-07-28, which needs no session.
 */
export function curlOf(
  { server, tool, args, hidden = [] }: Omit<CopiedCall, 'folder'>,
  kind: ShellKind,
): string {
  const isPowerShell = kind === 'windows';
  const variable = (name: string) => (isPowerShell ? `\${env:${name}}` : `\${${name}}`);
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { arguments: args, name: tool, _meta: requestMeta },
  };
  const body = quoteJson(message, hidden, kind);
  const headers = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${protocolVersion}`,
    'Mcp-Method: tools/call',
    `Mcp-Name: ${headerValue(tool)}`,
  ].map((header) => `-H ${quoteWord(header, kind)}`);
  const curl = [
    isPowerShell ? 'curl.exe' : 'curl',
    '-sS',
    // the name is percent-encoded, so that nothing in it means anything to a shell
    `"${variable(gatewayVariables.url)}/${shellSafe(server)}"`,
    `-H "Authorization: Bearer ${variable(gatewayVariables.token)}"`,
    ...headers,
    // PowerShell takes the quotes out of arguments of programs
    isPowerShell ? "--data-binary '@-'" : `--data-binary ${body}`,
  ].join(' ');
  return isPowerShell ? `${body} | ${curl}` : curl;
}

const protocolVersion = '2026-07-28';
const requestMeta = {
  'io.modelcontextprotocol/protocolVersion': protocolVersion,
  'io.modelcontextprotocol/clientInfo': { name: 'curl', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

function shellSafe(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
}

/** As the specification has it for what is not plain text. */
function headerValue(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `=?base64?${base64(text)}?=`;
}

function base64(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join(''));
}
