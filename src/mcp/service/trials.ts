/** Starts a launch that no file has: once, by consent to exactly it, and for as long as its lists are read. */
import type { McpServerDefinition, McpServerId, McpServerLaunch } from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import { launchHash } from '../../config/launch/launchHash.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { StartSlots } from '../connection/startSlots.js';
import type { ConsentRequest, McpServer, McpTrials } from '../mcpApi.js';
import type { McpCatalog } from '../mcpTypes.js';
import { readCatalog } from '../server/readCatalog.js';
import type { Connector } from '../server/serverPorts.js';
import { blockedError } from '../trouble/trouble.js';
import { describeLaunch } from '../trust/describeLaunch.js';
import { findLaunchFacts } from '../trust/findLaunchFacts.js';
import type { TrustGate } from '../trust/trustGate.js';

export interface TrialParts {
  readonly gate: TrustGate;
  readonly environment: HostEnvironment;
  readonly connector: Connector;
  readonly getServer: (id: McpServerId) => McpServer | undefined;
}

export class Trials implements McpTrials {
  private readonly ended = new AbortController();
  private readonly slots = new StartSlots(1);
  private readonly running = new Set<Promise<unknown>>();

  constructor(private readonly parts: TrialParts) {}

  async describe(id: McpServerId, launch: McpServerLaunch): Promise<ConsentRequest> {
    const { gate, environment } = this.parts;
    const { name, folder } = this.definition(id);
    const facts =
      launch.kind === 'stdio' && folder?.fsPath !== undefined && gate.isWorkspaceTrusted
        ? await findLaunchFacts(launch, folder.fsPath, environment)
        : undefined;
    return {
      serverId: id,
      name,
      reason: { kind: 'never_consented' },
      description: describeLaunch(launch, { isGlobalName: gate.isGlobalName(name), facts }),
      launchHash: launchHash(launch),
    };
  }

  async run(
    launch: McpServerLaunch,
    agreed: ConsentRequest,
    signal: AbortSignal,
  ): Promise<McpCatalog> {
    const definition = { ...this.definition(agreed.serverId), launch };
    const { description, launchHash: hash = '' } = agreed;
    this.parts.gate.agreeOnce(definition, { hash, description });
    const work = this.read(definition, AbortSignal.any([signal, this.ended.signal]));
    const tracked = work.catch(() => undefined).finally(() => this.running.delete(tracked));
    this.running.add(tracked);
    return await work;
  }

  /** Resolves when no process of it is left. */
  async dispose(): Promise<void> {
    this.ended.abort();
    await Promise.all(this.running);
  }

  private async read(definition: McpServerDefinition, signal: AbortSignal): Promise<McpCatalog> {
    const { gate, connector } = this.parts;
    const { startupTimeoutMs, stopGraceMs } = definition.options;
    const assertAllowed = () => {
      signal.throwIfAborted();
      const verdict = gate.check(definition);
      if (!verdict.allowed) {
        throw blockedError({ kind: 'trust_required', reason: verdict.reason });
      }
    };
    assertAllowed();
    const slot = this.slots.request();
    try {
      const connection = await connector(definition, {
        signal,
        slot,
        assertAllowed,
        onDidChangeNote: () => undefined,
        isAsked: true,
        isDebugged: () => false,
        logAudience: { level: undefined, tell: () => undefined },
        stopGraceMs: () => stopGraceMs,
      });
      try {
        return await readCatalog(connection.session, {
          signal,
          timeoutMs: startupTimeoutMs,
          maxTotalMs: startupTimeoutMs,
        });
      } finally {
        await connection.close();
      }
    } finally {
      slot.release();
    }
  }

  private definition(id: McpServerId): McpServerDefinition {
    const server = this.parts.getServer(id);
    if (!server) {
      throw serverUnknown();
    }
    return server.definition;
  }
}
