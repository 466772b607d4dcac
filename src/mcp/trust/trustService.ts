import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import type { Event } from '../../base/event.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { McpServerDefinition } from '../../config/definition.js';
import type { LaunchFacts } from '../../config/launch/launchDescription.js';
import { launchHash } from '../../config/launch/launchHash.js';
import type { LoggerProvider } from '../../config/ports.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { ConsentRequest, FolderTrust, McpTrust, TrustRecord } from '../mcpApi.js';
import type { TrustReason } from '../mcpTypes.js';
import { AgentEntries } from './agentEntries.js';
import {
  coversNothing,
  type ExtensionConsent,
  type FolderConsent,
  withoutConsent,
} from './canStart.js';
import { describeLaunch } from './describeLaunch.js';
import { findLaunchFacts } from './findLaunchFacts.js';
import { redactDescription } from './redactDescription.js';
import type { TrustGate } from './trustGate.js';
import type { TrustStore } from './trustStore.js';

/** The servers that consent is about, as the service knows them. */
export interface TrustedPools {
  /** Enabled and valid definitions of the folder. */
  definitionsOf(folderUri: string): readonly McpServerDefinition[];
  /** Of all folders, as they were read last, without those that a file switches off as a whole. */
  definitions(): readonly McpServerDefinition[];
  /** Files were read, and nothing came of it yet. */
  readonly onDidRead: Event<void>;
  /** Reads all files again. */
  reread(): Promise<void>;
  /** Ends every connection and attempt of the folder; resolves when no process of it is left. */
  stopPool(folderUri: string): Promise<void>;
}

export interface TrustServiceOptions {
  readonly gate: TrustGate;
  readonly store: TrustStore;
  readonly pools: TrustedPools;
  readonly environment: HostEnvironment;
  readonly loggers: Pick<LoggerProvider, 'main'>;
  /** Default: the current time. */
  readonly now?: () => Date;
}

export class TrustService implements McpTrust {
  private readonly agentEntries: AgentEntries;

  constructor(private readonly options: TrustServiceOptions) {
    const { store, loggers, pools } = options;
    this.agentEntries = new AgentEntries({
      store,
      logger: loggers.main,
      definitions: () => pools.definitions(),
      reread: () => pools.reread(),
    });
    pools.onDidRead(() => this.agentEntries.follow());
  }

  get isWorkspaceTrusted(): boolean {
    return this.options.gate.isWorkspaceTrusted;
  }

  get onDidChange(): Event<void> {
    return this.options.gate.onDidChange;
  }

  folderTrust(folderUri: string): FolderTrust {
    const { folderGrantedAt, servers } = this.options.gate.shownConsentOf(folderUri);
    if (folderGrantedAt !== undefined) {
      return { kind: 'folder', grantedAt: folderGrantedAt };
    }
    const count = Object.keys(servers).length;
    return count > 0 ? { kind: 'servers', count } : { kind: 'none' };
  }

  reasonToWait(definition: McpServerDefinition): TrustReason | undefined {
    const verdict = this.options.gate.check(definition);
    return verdict.allowed ? undefined : verdict.reason;
  }

  async pendingConsent(folderUri: string): Promise<readonly ConsentRequest[]> {
    const requests = this.options.pools.definitionsOf(folderUri).map(async (definition) => {
      const verdict = this.options.gate.check(definition);
      const { launch, id, name } = definition;
      if (verdict.allowed || !launch) {
        return undefined;
      }
      const facts = await this.findFacts(definition, verdict.reason);
      const isGlobalName = this.options.gate.isGlobalName(name);
      return {
        serverId: id,
        name,
        reason: verdict.reason,
        description: describeLaunch(launch, { isGlobalName, facts }),
        launchHash: launchHash(launch),
      };
    });
    return (await Promise.all(requests)).filter((request) => request !== undefined);
  }

  async trustFolder(folderUri: string): Promise<void> {
    const folderGrantedAt = this.now().toISOString();
    const ownIdentity = this.options.gate.identityOf(folderUri);
    await this.grant(folderUri, (current) => ({
      folderGrantedAt,
      ...current,
      // whoever trusts the folder that stands there now trusts it with their own servers, too
      ...(current.ownIdentity !== undefined && ownIdentity !== undefined ? { ownIdentity } : {}),
    }));
  }

  async trustServers(folderUri: string, requests: readonly ConsentRequest[]): Promise<void> {
    const granted = requests.map(({ name, description, launchHash: hash }) => {
      if (hash === undefined) {
        throw new HumanError(
          'consent_unbound',
          l10n.t('The command line does not say what to trust, of server: {0}', nameToken(name)),
          { remedy: l10n.t('Ask for the waiting servers again.') },
        );
      }
      return [name, { hash, description }] as const;
    });
    await this.grant(folderUri, (current) => ({
      ...current,
      servers: { ...current.servers, ...Object.fromEntries(granted) },
    }));
  }

  mayLoadExtensions(folderUri: string, hash: string): boolean {
    return this.options.gate.mayLoad(folderUri, hash);
  }

  async trustExtensions(folderUri: string, { hash, files }: ExtensionConsent): Promise<void> {
    await this.grant(folderUri, (current) => ({ ...current, extensions: { hash, files } }));
  }

  whileAgentActs(): () => void {
    return this.agentEntries.begin();
  }

  async records(): Promise<readonly TrustRecord[]> {
    const { gate, store } = this.options;
    const granted = Object.entries(store.all).filter(([, consent]) => !coversNothing(consent));
    return granted.map(([folderUri, { folderGrantedAt, servers, identity, extensions }]) => ({
      folderUri,
      grantedAt: folderGrantedAt,
      identity,
      replaced: gate.replacedAt(folderUri),
      extensions: extensions?.files ?? [],
      servers: Object.entries(servers).map(([name, { description }]) => ({
        name,
        description: redactDescription(description),
      })),
    }));
  }

  async revoke(folderUri: string): Promise<void> {
    const { store, pools } = this.options;
    // consent is gone from memory at once, so nothing can start between here and the end of the processes
    const saved = store.revoke(folderUri);
    await Promise.all([saved.catch(() => undefined), pools.stopPool(folderUri)]);
    await saved;
  }

  /** What was granted to another folder at the same path is not carried over. */
  private async grant(
    folderUri: string,
    change: (current: FolderConsent) => FolderConsent,
  ): Promise<void> {
    const { gate, store } = this.options;
    const identity = gate.identityOf(folderUri);
    const isReplaced = gate.replacedAt(folderUri) !== undefined;
    await store.update(folderUri, (stored) => {
      const { identity: _, ...current } = isReplaced ? withoutConsent(stored) : stored;
      return { ...change(current), identity };
    });
  }

  private now(): Date {
    return this.options.now?.() ?? new Date();
  }

  /** Nothing is looked up in Restricted Mode. What a consent let us see, and is another than was described, is known. */
  private async findFacts(
    definition: McpServerDefinition,
    reason: TrustReason,
  ): Promise<LaunchFacts | undefined> {
    const { gate, environment } = this.options;
    const { folder, launch } = definition;
    if (launch?.kind !== 'stdio' || !folder?.fsPath || !gate.isWorkspaceTrusted) {
      return undefined;
    }
    const found = reason.kind === 'changed' ? gate.foundFor(definition) : undefined;
    if (found) {
      return found;
    }
    return findLaunchFacts(launch, folder.fsPath, environment);
  }
}
