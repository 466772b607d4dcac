import {
  asString,
  defined,
  isJsonObject,
  isTexts,
  mapValues,
  readEntries,
} from '../../base/json.js';
import { isLaunchDescription } from '../../config/launch/launchDescription.js';
import { RecordStore } from '../../platform/stores/recordStore.js';
import type { StorePlace } from '../../platform/stores/sharedStore.js';
import {
  anyHash,
  type ExtensionConsent,
  type FolderConsent,
  noConsent,
  type ServerConsent,
  withoutConsent,
} from './canStart.js';

export const trustFileName = 'mcp-stdio-trust.json';

type Consents = Readonly<Record</* folder URI */ string, FolderConsent>>;

/** Consent per folder, kept in one file that all windows share. */
export class TrustStore extends RecordStore<Consents> {
  private readonly writing = new Set<Promise<void>>();

  constructor(options: StorePlace) {
    super({
      ...options,
      fileName: trustFileName,
      initial: {},
      parse,
      format: (folders) => ({ folders }),
      // folders, their fields, servers by name
      depth: 3,
      holdsGrants: true,
    });
  }

  /** Every record, also of folders that are not open. */
  get all(): Consents {
    return this.store.value;
  }

  get(folderUri: string): FolderConsent {
    const { value } = this.store;
    return (Object.hasOwn(value, folderUri) ? value[folderUri] : undefined) ?? noConsent;
  }

  /**
   * Takes effect at once and is then written.
   * @throws {HumanError} when it could not be written; it then holds for this window only, until a later try succeeds.
   */
  async update(
    folderUri: string,
    change: (current: FolderConsent) => FolderConsent,
  ): Promise<void> {
    const changed = change(this.get(folderUri));
    const writing = this.store.edit((consents) => {
      const others = Object.entries(consents).filter(([uri]) => uri !== folderUri);
      return Object.fromEntries([...others, [folderUri, changed]]);
    });
    this.writing.add(writing);
    await writing.finally(() => this.writing.delete(writing));
  }

  /** Resolves when what was changed so far is written, or could not be. */
  async close(): Promise<void> {
    this.dispose();
    await Promise.allSettled(this.writing);
  }

  /** Takes back all consent, also what another window gave. @throws as {@link update} */
  async revoke(folderUri: string): Promise<void> {
    const rest = withoutConsent(this.get(folderUri));
    await this.store.revoke(folderUri, rest === noConsent ? undefined : rest);
  }
}

/** `undefined` when it is not a trust file; single records that do not parse are left out. */
function parse(value: unknown): Consents | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.folders)) {
    return undefined;
  }
  return readEntries(value.folders, (record) =>
    isJsonObject(record) ? parseConsent(record) : undefined,
  );
}

function parseConsent(record: { readonly [key: string]: unknown }): FolderConsent {
  return defined({
    folderGrantedAt: asString(record.folderGrantedAt),
    identity: asString(record.identity),
    ownIdentity: asString(record.ownIdentity),
    servers: readEntries(record.servers, (one) => (isServerConsent(one) ? one : undefined)),
    // what is damaged says that the agent wrote something of that name: all of it asks
    agentWrote: isJsonObject(record.agentWrote)
      ? mapValues(record.agentWrote, (hashes) => (isTexts(hashes) ? hashes : [anyHash]))
      : undefined,
    extensions: isExtensionConsent(record.extensions) ? record.extensions : undefined,
  });
}

/** Consents of before there were descriptions do not say all that they cover: those servers ask again. */
function isServerConsent(value: unknown): value is ServerConsent {
  return (
    isJsonObject(value) && typeof value.hash === 'string' && isLaunchDescription(value.description)
  );
}

function isExtensionConsent(value: unknown): value is ExtensionConsent {
  return isJsonObject(value) && typeof value.hash === 'string' && isTexts(value.files);
}
