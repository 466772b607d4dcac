/** How other programs are told of a gateway: what to paste, and where. */
import * as l10n from '@vscode/l10n';
import type { McpServerDefinition } from '../../config/definition.js';

export const gatewayClients = ['claude', 'pi', 'codex', 'cursor', 'copilot'] as const;
export type GatewayClient = (typeof gatewayClients)[number];

/** Set in terminals that were opened for the gateway. */
export const gatewayVariables = {
  url: 'PI_MCP_GATEWAY_URL',
  token: 'PI_MCP_GATEWAY_TOKEN',
} as const;

export interface GatewayAccess {
  readonly url: string;
  readonly token: string;
}

export interface ClientConfiguration {
  readonly text: string;
  /** A full sentence: what to do with the text. */
  readonly place: string;
  /** Whoever reads the text can use the gateway. */
  readonly hasToken: boolean;
}

const entryName = 'pi-mcp';

export function clientName(client: GatewayClient): string {
  switch (client) {
    case 'claude':
      return 'Claude Code';
    case 'pi':
      return 'Pi';
    case 'codex':
      return 'Codex';
    case 'cursor':
      return 'Cursor';
    case 'copilot':
      return 'Copilot CLI';
  }
}

/**
 * How a client comes to the token. `variable`: from its environment. `file`: it is written into a file. `commandLine`:
 * it is a part of the command that starts the client, which other users of the machine can read.
 */
export type TokenWay = 'variable' | 'file' | 'commandLine';

/** The first one is the best. */
export function tokenWays(client: GatewayClient): readonly TokenWay[] {
  switch (client) {
    case 'claude':
      return ['variable', 'file', 'commandLine'];
    case 'pi':
    case 'codex':
      return ['variable', 'file'];
    default:
      return ['file'];
  }
}

/** @param way one of {@link tokenWays} */
export function clientConfiguration(
  client: GatewayClient,
  access: GatewayAccess,
  way: TokenWay,
): ClientConfiguration {
  const hasToken = way !== 'variable';
  const token = hasToken ? access.token : `\${${gatewayVariables.token}}`;
  const url = hasToken ? access.url : `\${${gatewayVariables.url}}`;
  const headers = { Authorization: `Bearer ${token}` };
  switch (client) {
    case 'claude': {
      const mcpServers = { [entryName]: { type: 'http', url, headers } };
      if (way === 'file') {
        return {
          text: pretty({ mcpServers }),
          place: l10n.t(
            'Save it in a file that only you can read, and run "claude --mcp-config" with its path.',
          ),
          hasToken,
        };
      }
      return {
        // single quotes keep the shell away from the variables, which the client itself reads
        text: `claude --mcp-config '${JSON.stringify({ mcpServers })}'`,
        place: [l10n.t('Run it in a terminal.'), ...(hasToken ? [commandLineRisk()] : [])].join(
          ' ',
        ),
        hasToken,
      };
    }
    case 'pi':
      return {
        text: pretty({ mcpServers: { [entryName]: { url, headers } } }),
        place: l10n.t('Put it into "{0}".', '~/.pi/agent/mcp.json'),
        hasToken,
      };
    case 'codex':
      return {
        text: [
          `[mcp_servers.${entryName}]`,
          `url = ${JSON.stringify(access.url)}`,
          hasToken
            ? `http_headers = { Authorization = ${JSON.stringify(headers.Authorization)} }`
            : `bearer_token_env_var = ${JSON.stringify(gatewayVariables.token)}`,
          '',
        ].join('\n'),
        place: l10n.t('Put it into "{0}".', '~/.codex/config.toml'),
        hasToken,
      };
    case 'cursor':
      return {
        text: pretty({ mcpServers: { [entryName]: { url, headers } } }),
        place: l10n.t('Put it into "{0}".', '~/.cursor/mcp.json'),
        hasToken,
      };
    case 'copilot':
      return {
        text: pretty({ mcpServers: { [entryName]: { type: 'http', url, headers, tools: ['*'] } } }),
        place: l10n.t('Put it into "{0}".', '~/.copilot/mcp-config.json'),
        hasToken,
      };
  }
}

export function commandLineRisk(): string {
  return l10n.t(
    'Other users of this machine can read the token in the list of processes, and your shell keeps it in its history.',
  );
}

function pretty(document: unknown): string {
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/**
 * The id under which VS Code 1.139 keeps the server that it reads from the same `.mcp.json`; it is documented nowhere.
 * @param folderIndex of the folder in the window
 */
export function copyInEditor(
  { name, origin, hides }: Pick<McpServerDefinition, 'name' | 'origin' | 'hides'>,
  folderIndex: number,
): string | undefined {
  const isShared = [origin, ...hides].some(({ layer }) => layer === 'project');
  return isShared && folderIndex >= 0 ? `workspace-dot-mcp.${folderIndex}.${name}` : undefined;
}
