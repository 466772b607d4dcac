/** The servers of a folder that a gateway lends, as far as trust and the user's switches let them run. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { Event } from '../../base/event.js';
import type { McpHttpLaunch } from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import { overrideFor } from '../../config/toolOverrides.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { emptyCatalog } from '../../mcp/mcpTypes.js';
import { firstUsable, isBlocked } from '../../mcp/stateKinds.js';
import { blockedError, type Surface } from '../../mcp/trouble/trouble.js';

/** What narrows what is lent: profiles, switches of tools. */
export interface LendingRules {
  /** Default: every tool. @param tool as its server calls it */
  isToolLent?(server: McpServer, tool: string): boolean;
  /** The answers of the others have changed. */
  readonly onDidChange?: Event<void>;
}

export interface LentServersOptions {
  readonly service: McpService;
  readonly folderUri: string | undefined;
  readonly rules?: LendingRules | undefined;
  /** Where its user can do what a client is told. */
  readonly surface: Surface;
  /** Where this gateway listens. */
  readonly port: () => number;
}

/** How a gateway calls itself; its version ends with a mark. */
export const gatewayName = 'pi-mcp';

export class LentServers {
  constructor(private readonly options: LentServersOptions) {}

  /** Those that may run now, connected or not. */
  get all(): readonly McpServer[] {
    const { service, folderUri } = this.options;
    return service
      .serversFor(folderUri)
      .filter((server) => !this.isGateway(server) && !isBlocked(server.state.value));
  }

  has(name: string): boolean {
    return this.named(name) !== undefined;
  }

  /** @throws {HumanError} when the server is not there, or may not run. */
  get(name: string): McpServer {
    const server = this.named(name);
    if (!server) {
      throw serverUnknown(name, l10n.t('Correct the address of the gateway.'));
    }
    const state = server.state.value;
    if (isBlocked(state)) {
      throw blockedError(state, this.options.surface);
    }
    return server;
  }

  isToolLent(server: McpServer, tool: string): boolean {
    const isHidden = overrideFor(server.definition.options.toolOverrides, tool)?.hidden === true;
    return !isHidden && (this.options.rules?.isToolLent?.(server, tool) ?? true);
  }

  private named(name: string): McpServer | undefined {
    const { service, folderUri } = this.options;
    const named = service.serversFor(folderUri, name);
    return firstUsable(named.filter((server) => !this.isGateway(server)));
  }

  /** An entry that leads back here, or to another gateway that may have an entry for this one, would go round for ever. */
  private isGateway({ definition: { launch }, catalog }: McpServer): boolean {
    const { name, version = '' } = catalog.value.serverInfo ?? {};
    if (name === gatewayName && /\+[0-9a-f]{8}$/.test(version)) {
      return true;
    }
    return launch?.kind === 'http' && localPort(launch) === String(this.options.port());
  }
}

const hostsHere = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]'];
/** Read once, since every request asks. */
const localPorts = new WeakMap<McpHttpLaunch, string | undefined>();

/** Of an address on this machine; empty where it names none. */
function localPort(launch: McpHttpLaunch): string | undefined {
  if (!localPorts.has(launch)) {
    const url = URL.canParse(launch.url) ? new URL(launch.url) : undefined;
    localPorts.set(launch, url && hostsHere.includes(url.hostname) ? url.port : undefined);
  }
  return localPorts.get(launch);
}

/** It has been read from the server, or is remembered. */
export function isCatalogKnown({ catalog }: Pick<McpServer, 'catalog'>): boolean {
  return catalog.value !== emptyCatalog;
}

/** A list that nobody could be asked for. */
export function noList(reasons: readonly string[]): HumanError {
  return new HumanError(
    'unreachable',
    l10n.t('No MCP server could be asked for its list. {0}', reasons.join(' ')),
  );
}
