/** Apps of servers that the user agreed to see, with what they may reach. Shared by all windows. */
import type { Disposable } from '../../base/disposable.js';
import { isJsonObject } from '../../base/json.js';
import type { McpServerDefinition } from '../../config/definition.js';
import { launchHash } from '../../config/launch/launchHash.js';
import { byKey, SharedRecord } from '../../platform/stores/sharedRecord.js';
import type { StorePlace } from '../../platform/stores/sharedStore.js';

/** One server in one folder. */
export interface AppPlace {
  /** `undefined` in a window without folders. */
  readonly folderUri: string | undefined;
  readonly serverId: string;
}

export interface AppConsent extends AppPlace {
  readonly server: string;
  /** Of the definition that the user saw. */
  readonly launchHash: string;
  /** What apps of the server may reach; see `permissionsOf`. */
  readonly permissions: readonly string[];
  /** ISO 8601. */
  readonly allowedAt: string;
}

type Consents = Readonly<Record</* place */ string, AppConsent>>;

const maxConsents = 1000;

export class AppConsents implements Disposable {
  private readonly store: SharedRecord<Consents>;
  readonly onDidChange: SharedRecord<Consents>['onDidChange'];

  constructor(options: StorePlace) {
    this.store = new SharedRecord<Consents>({
      ...options,
      fileName: 'app-consents.json',
      initial: {},
      parse,
      format: Object.values,
      depth: 1,
    });
    this.onDidChange = this.store.onDidChange;
  }

  start(): Promise<void> {
    return this.store.start();
  }

  get all(): readonly AppConsent[] {
    return Object.values(this.store.value);
  }

  /** Whether exactly this definition may show an app that reaches no more than this. */
  covers(
    definition: McpServerDefinition,
    folderUri: string | undefined,
    permissions: readonly string[],
  ): boolean {
    const consent = this.find(definition, folderUri);
    return consent !== undefined && permissions.every((one) => consent.permissions.includes(one));
  }

  /** Adds to what was allowed before for the same definition. @throws {HumanError} when it could not be saved. */
  async allow(
    definition: McpServerDefinition,
    folderUri: string | undefined,
    permissions: readonly string[],
  ): Promise<void> {
    const hash = hashOf(definition);
    if (hash === undefined) {
      return;
    }
    const before = this.find(definition, folderUri)?.permissions ?? [];
    const consent: AppConsent = {
      folderUri,
      serverId: definition.id,
      server: definition.name,
      launchHash: hash,
      permissions: [...new Set([...before, ...permissions])].sort(),
      allowedAt: new Date().toISOString(),
    };
    await this.store.edit((all) =>
      byKey([...Object.values(without(all, consent)), consent].slice(-maxConsents), keyOf),
    );
  }

  /** @throws {HumanError} when it could not be saved. */
  async revoke(place: AppPlace): Promise<void> {
    await this.store.edit((all) => without(all, place));
  }

  dispose(): void {
    this.store.dispose();
  }

  private find(
    definition: McpServerDefinition,
    folderUri: string | undefined,
  ): AppConsent | undefined {
    const consent = this.store.value[keyOf({ folderUri, serverId: definition.id })];
    return consent?.launchHash === hashOf(definition) ? consent : undefined;
  }
}

function hashOf({ launch }: McpServerDefinition): string | undefined {
  return launch && launchHash(launch);
}

function without(all: Consents, place: AppPlace): Consents {
  const { [keyOf(place)]: _without, ...others } = all;
  return others;
}

function keyOf({ folderUri, serverId }: AppPlace): string {
  return JSON.stringify([folderUri ?? null, serverId]);
}

function parse(value: unknown): Consents | undefined {
  return Array.isArray(value) ? byKey(value.filter(isAppConsent), keyOf) : undefined;
}

function isAppConsent(value: unknown): value is AppConsent {
  return (
    isJsonObject(value) &&
    (value.folderUri === undefined || typeof value.folderUri === 'string') &&
    [value.serverId, value.server, value.launchHash, value.allowedAt].every(
      (item) => typeof item === 'string',
    ) &&
    Array.isArray(value.permissions) &&
    value.permissions.every((item) => typeof item === 'string')
  );
}
