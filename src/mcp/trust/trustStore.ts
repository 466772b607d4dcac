import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { Disposable } from '../../base/disposable.js';
import { errorCode, errorMessage, HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { isJsonObject, stableStringify } from '../../base/json.js';
import { Sequencer } from '../../base/sequencer.js';
import { readTextFile } from '../boundedFile.js';
import type { LaunchSummary } from '../mcpTypes.js';
import type { FileWatcher, Logger } from '../ports.js';
import { withFileLock, writeFileAtomic } from '../storedFile.js';
import { type FolderConsent, noConsent, type ServerConsent } from './canStart.js';

export const trustFileName = 'mcp-stdio-trust.json';

export interface TrustStoreOptions {
  /** Absolute; `undefined` keeps consent in memory only. */
  readonly directory: string | undefined;
  readonly watcher: FileWatcher;
  readonly logger: Logger;
}

interface Change {
  readonly folderUri: string;
  readonly apply: (current: FolderConsent) => FolderConsent | undefined;
}

type Consents = ReadonlyMap</* folder URI */ string, FolderConsent>;

/** Consent per folder, kept in one file that all windows share. A file that cannot be read means no consent. */
export class TrustStore implements Disposable {
  private readonly writes = new Sequencer();
  private readonly _onDidChange = new Emitter<void>();
  readonly onDidChange = this._onDidChange.event;
  private readonly path: string | undefined;
  private consents: Consents = new Map();
  /** Decisions that the file does not hold yet; they stand whatever is read meanwhile. */
  private readonly unsaved = new Set<Change>();
  private watch: Disposable | undefined;

  constructor(private readonly options: TrustStoreOptions) {
    this.path = options.directory && join(options.directory, trustFileName);
  }

  /** Reads the file, then follows what other windows write. Never rejects. */
  async start(): Promise<void> {
    if (this.path === undefined) {
      return;
    }
    await this.reload();
    this.watch = this.options.watcher.watch(this.path, () => void this.reload());
  }

  get(folderUri: string): FolderConsent {
    return this.consents.get(folderUri) ?? noConsent;
  }

  /**
   * Takes effect at once and is then written. Returning `undefined` forgets the folder.
   * @throws {HumanError} when it could not be written; it then holds for this window only.
   */
  async update(
    folderUri: string,
    change: (current: FolderConsent) => FolderConsent | undefined,
  ): Promise<void> {
    const decision: Change = { folderUri, apply: change };
    this.adopt(withChange(this.consents, decision));
    const { path } = this;
    if (path === undefined) {
      return;
    }
    this.unsaved.add(decision);
    try {
      await this.writes.queue(() =>
        withFileLock(path, async () => {
          const latest = withChange(await this.read(path), decision);
          await writeFileAtomic(path, format(latest));
          this.unsaved.delete(decision);
          this.adopt(latest);
        }),
      );
    } catch (error) {
      throw new HumanError(
        'trust_not_saved',
        l10n.t('Your decision holds for this window, but could not be saved in {0}.', path),
        { remedy: l10n.t('Check the permissions and the free space of its folder.'), cause: error },
      );
    }
  }

  dispose(): void {
    this.watch?.dispose();
    this._onDidChange.dispose();
  }

  private async reload(): Promise<void> {
    const { path } = this;
    if (path !== undefined) {
      await this.writes.queue(async () => this.adopt(await this.read(path)));
    }
  }

  private async read(path: string): Promise<Consents> {
    let text: string;
    try {
      text = await readTextFile(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') {
        this.options.logger.log('error', `${path} cannot be read: ${errorMessage(error)}`);
      }
      return new Map();
    }
    const consents = parse(text);
    if (!consents) {
      this.options.logger.log('error', `${path} is damaged; it was set aside as no consent.`);
      await rename(path, `${path}.damaged`).catch(() => undefined);
    }
    return consents ?? new Map();
  }

  private adopt(stored: Consents): void {
    const next = [...this.unsaved].reduce(withChange, stored);
    const isSame = stableStringify([...next]) === stableStringify([...this.consents]);
    this.consents = next;
    if (!isSame) {
      this._onDidChange.fire();
    }
  }
}

function withChange(consents: Consents, { folderUri, apply }: Change): Consents {
  const next = new Map(consents);
  const changed = apply(consents.get(folderUri) ?? noConsent);
  if (changed) {
    next.set(folderUri, changed);
  } else {
    next.delete(folderUri);
  }
  return next;
}

function format(consents: Consents): string {
  return `${JSON.stringify({ folders: Object.fromEntries(consents) }, undefined, 2)}\n`;
}

/** `undefined` when the text is not a trust file; single records that do not parse are left out. */
function parse(text: string): Consents | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // damaged, for instance by a full disk
    return undefined;
  }
  if (!isJsonObject(value) || !isJsonObject(value.folders)) {
    return undefined;
  }
  const consents = new Map<string, FolderConsent>();
  for (const [uri, record] of Object.entries(value.folders)) {
    if (isJsonObject(record)) {
      consents.set(uri, parseConsent(record));
    }
  }
  return consents;
}

function parseConsent(record: { readonly [key: string]: unknown }): FolderConsent {
  const servers = isJsonObject(record.servers) ? Object.entries(record.servers) : [];
  return {
    ...(typeof record.folderGrantedAt === 'string'
      ? { folderGrantedAt: record.folderGrantedAt }
      : {}),
    servers: Object.fromEntries(
      servers.filter((entry): entry is [string, ServerConsent] => isServerConsent(entry[1])),
    ),
  };
}

function isServerConsent(value: unknown): value is ServerConsent {
  return isJsonObject(value) && typeof value.hash === 'string' && isSummary(value.summary);
}

function isSummary(value: unknown): value is LaunchSummary {
  return (
    isJsonObject(value) &&
    (value.kind === 'stdio' || value.kind === 'http') &&
    [value.argv, value.envKeys, value.headerKeys].every(
      (list) => Array.isArray(list) && list.every((item) => typeof item === 'string'),
    ) &&
    (value.cwd === undefined || typeof value.cwd === 'string')
  );
}
