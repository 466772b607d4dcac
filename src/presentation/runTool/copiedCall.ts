/** A call as text that runs it again elsewhere. */
import type { JsonObject } from '../../base/json.js';
import { gatewayVariables } from '../gateway/clientConfiguration.js';
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

type Quote = (text: string) => string;

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
function quoteJson(
  value: JsonObject,
  hidden: readonly HiddenArgument[],
  isPowerShell: boolean,
): string {
  const quote = quoting(isPowerShell);
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
      quote(`${rest.slice(0, at)}${around}`),
      isPowerShell ? `$\{env:${name}}` : `"$\{${name}:?}"`,
    );
    rest = `${around}${rest.slice(at + written.length)}`;
  });
  parts.push(quote(rest));
  return isPowerShell && parts.length > 1 ? `(${parts.join(' + ')})` : parts.join('');
}

/** @param isPowerShell quotes as PowerShell reads them instead of as POSIX shells do */
export function commandLineOf(
  { server, tool, args, hidden = [], folder }: CopiedCall,
  isPowerShell: boolean,
): string {
  const always = quoting(isPowerShell);
  const quote: Quote = (word) =>
    /^[\w./-]+$/.test(word) && !word.startsWith('-') ? word : always(word);
  const place = folder === undefined ? [] : ['--folder', quote(folder)];
  const json =
    hidden.length === 0 ? quote(JSON.stringify(args)) : quoteJson(args, hidden, isPowerShell);
  const words = [quote(server), quote(tool), json];
  return ['pi-mcp', 'call', ...place, ...words].join(' ');
}

/**
 * For curl, to the gateway, in the terminals that know its address and its token: neither is part of the text. It is a
 * request of MCP 2026-07-28, which needs no session.
 * @param isPowerShell as in {@link commandLineOf}
 */
export function curlOf(
  { server, tool, args, hidden = [] }: Omit<CopiedCall, 'folder'>,
  isPowerShell: boolean,
): string {
  const quote = quoting(isPowerShell);
  const variable = (name: string) => (isPowerShell ? `\${env:${name}}` : `\${${name}}`);
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { arguments: args, name: tool, _meta: requestMeta },
  };
  const body = quoteJson(message, hidden, isPowerShell);
  const headers = [
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `MCP-Protocol-Version: ${protocolVersion}`,
    'Mcp-Method: tools/call',
    `Mcp-Name: ${headerValue(tool)}`,
  ].map((header) => `-H ${quote(header)}`);
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

function quoting(isPowerShell: boolean): Quote {
  return (text) => `'${text.replaceAll("'", isPowerShell ? "''" : "'\\''")}'`;
}

function shellSafe(name: string): string {
  return encodeURIComponent(name).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
}

/** As the specification has it for what is not plain text. */
function headerValue(text: string): string {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${base64(text)}?=`;
}

function base64(text: string): string {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join(''));
}
