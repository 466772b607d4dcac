/** Apps of servers that the user agreed to see, with what they may reach. Shared by all windows. */
import { isTexts } from '../../base/json.js';
import type { McpServerDefinition } from '../../config/definition.js';
import { hashOf } from '../../config/launch/launchHash.js';
import { GrantStore } from '../../platform/stores/recordStore.js';
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

const maxConsents = 1000;

export class AppConsents extends GrantStore<AppPlace, AppConsent> {
  constructor(place: StorePlace) {
    super(place, {
      fileName: 'app-consents.json',
      keyOf: ({ folderUri, serverId }) => JSON.stringify([folderUri ?? null, serverId]),
      texts: ['serverId', 'server', 'launchHash', 'allowedAt'],
      isWhole: ({ permissions }) => isTexts(permissions),
    });
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
    if (!definition.launch) {
      return;
    }
    const before = this.find(definition, folderUri)?.permissions ?? [];
    await this.grant(
      {
        folderUri,
        serverId: definition.id,
        server: definition.name,
        launchHash: hashOf(definition),
        permissions: [...new Set([...before, ...permissions])].sort(),
        allowedAt: new Date().toISOString(),
      },
      maxConsents,
    );
  }

  private find(
    definition: McpServerDefinition,
    folderUri: string | undefined,
  ): AppConsent | undefined {
    const consent = this.get({ folderUri, serverId: definition.id });
    return consent?.launchHash === hashOf(definition) ? consent : undefined;
  }
}
