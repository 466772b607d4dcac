/** A call as text that runs it again elsewhere. */
import type { JsonObject } from '../../base/json.js';
import { gatewayVariables } from '../gateway/clientConfiguration.js';

export interface CopiedCall {
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Path of the folder whose server it is. */
  readonly folder: string | undefined;
}

type Quote = (text: string) => string;

/** @param isPowerShell quotes as PowerShell reads them instead of as POSIX shells do */
export function commandLineOf(
  { server, tool, args, folder }: CopiedCall,
  isPowerShell: boolean,
): string {
  const always = quoting(isPowerShell);
  const quote: Quote = (word) =>
    /^[\w./-]+$/.test(word) && !word.startsWith('-') ? word : always(word);
  const place = folder === undefined ? [] : ['--folder', quote(folder)];
  const words = [quote(server), quote(tool), quote(JSON.stringify(args))];
  return ['pi-mcp', 'call', ...place, ...words].join(' ');
}

/**
 * For curl, to the gateway, in the terminals that know its address and its token: neither is part of the text. It is a
 * request of MCP 2026-07-28, which needs no session.
 * @param isPowerShell as in {@link commandLineOf}
 */
export function curlOf(
  { server, tool, args }: Pick<CopiedCall, 'server' | 'tool' | 'args'>,
  isPowerShell: boolean,
): string {
  const quote = quoting(isPowerShell);
  const variable = (name: string) => (isPowerShell ? `\${env:${name}}` : `\${${name}}`);
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: tool, arguments: args, _meta: requestMeta },
  });
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
    isPowerShell ? "--data-binary '@-'" : `--data-binary ${quote(body)}`,
  ].join(' ');
  return isPowerShell ? `${quote(body)} | ${curl}` : curl;
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
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
