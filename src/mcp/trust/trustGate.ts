import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.js';
import { Emitter } from '../../base/event.js';
import type { McpServerDefinition, McpServerId } from '../../config/definition.js';
import type { LaunchFacts } from '../../config/launch/launchDescription.js';
import { launchHash } from '../../config/launch/launchHash.js';
import type { Workspace } from '../../config/ports.js';
import {
  type FolderFacts,
  type FolderIdentity,
  hasIdentity,
  identityOf,
  lookAtFolder,
  lookAtFolderSync,
} from '../../platform/folderIdentity.js';
import type { FolderReplaced } from '../mcpTypes.js';
import {
  canLoad,
  canStart,
  coversNothing,
  type FolderConsent,
  noConsent,
  type ServerConsent,
  type StartVerdict,
  withoutConsent,
} from './canStart.js';
import type { TrustStore } from './trustStore.js';

export interface TrustGateOptions {
  readonly store: TrustStore;
  readonly workspace: Workspace;
  /** Folders in which everything counts as consented for this run; nothing is stored. Default: none. */
  readonly consentOverride?: ((folderUri: string) => boolean) | undefined;
}

/** What stands at the path of a folder instead of it, by what was known of it. */
interface Replaced {
  /** Than the one that the stored consent is about. */
  readonly consented?: FolderReplaced | undefined;
  /** Than the one that the user's own servers for it last ran in. */
  readonly own?: FolderReplaced | undefined;
}

/** What was found out about a folder under the consent of that time. */
interface Look {
  readonly stored: FolderConsent;
  readonly replaced: Replaced;
  /** The disk is still as it was then. */
  isFresh: boolean;
}

/** Puts the facts of now to {@link canStart}. */
export class TrustGate implements Disposable {
  private readonly disposables = new DisposableStore();
  private readonly _onDidChange = this.disposables.add(new Emitter<void>());
  /** A verdict may have changed. */
  readonly onDidChange = this._onDidChange.event;
  private globalNames: ReadonlySet<string> = new Set();
  private readonly looks = new Map</* folder URI */ string, Look>();
  private readonly found = new Map<
    McpServerId,
    { readonly hash: string; readonly facts: LaunchFacts }
  >();

  private readonly once = new WeakMap<McpServerDefinition, ServerConsent>();

  constructor(private readonly options: TrustGateOptions) {}

  start(): void {
    const { store, workspace } = this.options;
    this.disposables.add(store.onDidChange(() => this._onDidChange.fire()));
    this.disposables.add(workspace.onDidChangeTrust(() => this._onDidChange.fire()));
  }

  get isWorkspaceTrusted(): boolean {
    return this.options.workspace.isTrusted;
  }

  setGlobalNames(names: ReadonlySet<string>): void {
    this.globalNames = names;
  }

  /**
   * Looks at the folders of all consents without blocking; what it finds counts until the result is disposed. A start
   * of a server looks for itself.
   */
  async lookAhead(): Promise<Disposable> {
    const { store, workspace } = this.options;
    const looks = workspace.folders.map(async ({ uri, fsPath }) => {
      const stored = store.get(uri);
      return stored === noConsent || fsPath === undefined
        ? []
        : [this.remember(uri, stored, await lookAtFolder(fsPath))];
    });
    const found = (await Promise.all(looks)).flat();
    return toDisposable(() => {
      for (const look of found) {
        look.isFresh = false;
      }
    });
  }

  /** What was consented to in the folder that stands there now. */
  consentOf(folderUri: string): FolderConsent {
    return this.consentUnder(folderUri, this.lookAt(folderUri));
  }

  /** As {@link consentOf}, by the last look at the folder: for what is shown, not for what starts. */
  shownConsentOf(folderUri: string): FolderConsent {
    return this.consentUnder(folderUri, this.lookAt(folderUri, true));
  }

  private consentUnder(folderUri: string, { consented }: Replaced): FolderConsent {
    const { store, consentOverride } = this.options;
    const known = store.get(folderUri);
    const stored = consented ? withoutConsent(known) : known;
    // whoever consents for one run consents to all that there is
    return consentOverride?.(folderUri)
      ? { ...stored, agentWrote: {}, folderGrantedAt: stored.folderGrantedAt ?? '' }
      : stored;
  }

  check(definition: McpServerDefinition): StartVerdict {
    return this.verdict(definition, this.foundFor(definition));
  }

  /** For this very object, which no file has, the user consents to what they were shown; nothing of it is stored. */
  agreeOnce(definition: McpServerDefinition, consent: ServerConsent): void {
    this.once.set(definition, consent);
  }

  isAgreedOnce(definition: McpServerDefinition): boolean {
    return this.once.has(definition);
  }

  private verdict(definition: McpServerDefinition, found: LaunchFacts | undefined): StartVerdict {
    const { poolId, name } = definition;
    const consent = this.consentOf(poolId);
    const agreed = this.once.get(definition);
    return canStart(
      definition,
      {
        found,
        isWorkspaceTrusted: this.isWorkspaceTrusted,
        globalNames: this.globalNames,
        replaced: this.replacedAt(poolId),
        ownReplaced: this.lookAt(poolId).own,
      },
      agreed ? { ...consent, servers: { ...consent.servers, [name]: agreed } } : consent,
    );
  }

  /** @param hash of the texts of the extensions as they were read */
  mayLoad(folderUri: string, hash: string): boolean {
    return canLoad(hash, this, this.consentOf(folderUri));
  }

  /** Of the folder as it is now; `undefined` for one that is not on a disk. */
  identityOf(folderUri: string): FolderIdentity | undefined {
    const path = this.pathOf(folderUri);
    return path === undefined ? undefined : identityOf(lookAtFolderSync(path));
  }

  /** Another folder stands where the one was that the stored consent is about. */
  replacedAt(folderUri: string): FolderReplaced | undefined {
    return this.lookAt(folderUri).consented;
  }

  /** @param mayBeOld the disk may have changed since. */
  private lookAt(folderUri: string, mayBeOld = false): Replaced {
    const stored = this.options.store.get(folderUri);
    const path = this.pathOf(folderUri);
    if (stored === noConsent || path === undefined) {
      return {};
    }
    const known = this.looks.get(folderUri);
    if (known?.stored === stored && (known.isFresh || mayBeOld)) {
      return known.replaced;
    }
    const look = this.remember(folderUri, stored, lookAtFolderSync(path));
    // every server of a folder asks at once, and the disk is as it is for that long
    queueMicrotask(() => {
      look.isFresh = false;
    });
    return look.replaced;
  }

  private remember(folderUri: string, stored: FolderConsent, facts: FolderFacts): Look {
    const { identity, ownIdentity } = stored;
    const replaced = {
      consented: coversNothing(stored) ? undefined : replacedSince(facts, identity),
      own: ownIdentity === undefined ? undefined : replacedSince(facts, ownIdentity),
    };
    const look = { stored, replaced, isFresh: true };
    this.looks.set(folderUri, look);
    return look;
  }

  isGlobalName(name: string): boolean {
    return this.globalNames.has(name);
  }

  /** What the launch of the definition had on this machine when it was last about to start. */
  foundFor({ id, launch }: McpServerDefinition): LaunchFacts | undefined {
    const found = this.found.get(id);
    return launch && found?.hash === launchHash(launch) ? found.facts : undefined;
  }

  /**
   * Remembers what is about to run.
   * @throws a cancellation when it is not what the user has consented to.
   */
  assertDescribed(definition: McpServerDefinition, facts: LaunchFacts): void {
    const { id, launch, scope } = definition;
    if (!launch || scope === 'global') {
      return;
    }
    const isOnce = this.isAgreedOnce(definition);
    if (!isOnce) {
      this.found.set(id, { hash: launchHash(launch), facts });
    }
    if (!this.verdict(definition, facts).allowed) {
      this._onDidChange.fire();
      throw new DOMException('What would run is not what was consented to', 'AbortError');
    }
    if (definition.origin.layer === 'local' && !isOnce) {
      this.noteOwnFolder(definition.poolId);
    }
  }

  /** A file names the folder of the user's own servers by its path alone: what stands there the first time is kept. */
  private noteOwnFolder(folderUri: string): void {
    const { store } = this.options;
    const ownIdentity = this.identityOf(folderUri);
    if (ownIdentity !== undefined && store.get(folderUri).ownIdentity === undefined) {
      // counts from now on in this window; the store goes on trying to write it
      store.update(folderUri, (stored) => ({ ...stored, ownIdentity })).catch(() => undefined);
    }
  }

  private pathOf(folderUri: string): string | undefined {
    return this.options.workspace.folders.find(({ uri }) => uri === folderUri)?.fsPath;
  }

  dispose(): void {
    this.disposables.dispose();
  }
}

function replacedSince(
  facts: FolderFacts,
  before: FolderIdentity | undefined,
): FolderReplaced | undefined {
  return hasIdentity(facts, before) ? undefined : { before, now: identityOf(facts) };
}
