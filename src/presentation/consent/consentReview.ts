/** What the page of consent shows, and what an answer on it grants: exactly that, or nothing. */
import { stableStringify } from '../../base/json.js';
import { groupBy } from '../../base/lists.js';
import { shownParts } from '../../base/text/showText.js';
import type { WorkspaceFolder } from '../../config/definition.js';
import { digest } from '../../config/launch/launchHash.js';
import type { ConsentRequest, McpServer, McpService } from '../../mcp/mcpApi.js';
import type { DefinitionChange } from '../../mcp/mcpTypes.js';
import { definitionLines } from '../../mcp/trust/definitionLines.js';
import { commitWords, lastCommit } from '../../mcp/trust/lastCommit.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { valuesOfCard } from '../../protocol/consent/cardValues.js';
import type {
  ConsentCard,
  ConsentChoice,
  ConsentOutcome,
  ConsentView,
} from '../../protocol/consent/consentProtocol.js';
import { changeSentence, requestLines, requestNote } from './consentText.js';

export interface ConsentReviewParts {
  readonly service: McpService;
  readonly environment: HostEnvironment;
  /** Those that the page is about. */
  readonly folders: () => readonly WorkspaceFolder[];
}

interface Waiting {
  readonly folder: WorkspaceFolder;
  readonly request: ConsentRequest;
  readonly hash: string;
}

type Card = Omit<ConsentCard, 'source' | 'commit' | 'isPlain'>;

/** Something that a server says in other words than before. */
interface Changed {
  readonly server: McpServer;
  readonly change: DefinitionChange;
  readonly hash: string;
}

/** What servers of these folders, and those of the user, say in other words than before. */
export function changedDefinitionsIn(
  { servers }: Pick<McpService, 'servers'>,
  folders: readonly Pick<WorkspaceFolder, 'uri'>[],
): readonly Omit<Changed, 'hash'>[] {
  const uris = new Set(folders.map(({ uri }) => uri));
  return servers
    .filter(({ definition: { folder } }) => !folder || uris.has(folder.uri))
    .flatMap((server) =>
      (server.catalog.value.changes ?? []).map((change) => ({ server, change })),
    );
}

export class ConsentReview {
  constructor(private readonly parts: ConsentReviewParts) {}

  /** Starts nothing. */
  async look(): Promise<ConsentView> {
    const { service } = this.parts;
    const folders = this.parts.folders();
    const isRestricted = !service.trust.isWorkspaceTrusted;
    const waiting = isRestricted ? [] : await this.waiting();
    const origins = groupBy(waiting, (one) => this.originOf(one)?.path ?? '');
    const commits = new Map(
      await Promise.all(
        [...origins].map(async ([path, [one]]) => [path, await this.commitOf(path, one)] as const),
      ),
    );
    const starts = waiting.map((one) => {
      const { path = '', line } = this.originOf(one) ?? {};
      const commit = commits.get(path);
      const card = {
        ...cardOf(one, folders.length > 1),
        source: { path, line },
        commit: commit && commitWords(commit),
      };
      const hasTraits = one.request.description.traits.length > 0;
      return { ...card, isPlain: !hasTraits && valuesOfCard(card).every(isPlainText) };
    });
    const definitions = this.changed().map((one) => ({
      ...definitionCard(one, folders.length > 1),
      source: { path: one.server.definition.origin.path },
      // what a server changed unasked is odd in itself
      isPlain: false,
    }));
    return {
      isRestricted,
      cards: [...starts, ...definitions],
      folders: folders.map(({ uri, name }) => ({
        uri,
        name,
        isTrusted: service.trust.folderTrust(uri).kind === 'folder',
      })),
    };
  }

  /** Grants what still is as it was shown. */
  async trust(choices: readonly ConsentChoice[]): Promise<ConsentOutcome> {
    const refused = await this.acceptDefinitions(choices);
    const waiting = await this.waiting();
    const chosen = choices.filter(isStart).map((choice) => {
      const found = waiting.find(({ request }) => request.serverId === choice.id);
      return { name: found?.request.name, found: found?.hash === choice.hash ? found : undefined };
    });
    const granted = groupBy(
      chosen.flatMap(({ found }) => found ?? []),
      ({ folder }) => folder.uri,
    );
    for (const [uri, all] of granted) {
      await this.parts.service.trust.trustServers(
        uri,
        all.map(({ request }) => request),
      );
    }
    // what does not wait any more needs no answer
    return {
      refused: [...chosen.flatMap(({ name, found }) => (found ? [] : (name ?? []))), ...refused],
    };
  }

  /** Grants nothing unless everything that waits in the folder was shown as it is. */
  async trustFolder(uri: string, choices: readonly ConsentChoice[]): Promise<ConsentOutcome> {
    const folder = this.parts.folders().find((one) => one.uri === uri);
    if (!folder) {
      return { refused: [] };
    }
    const shown = new Map(choices.filter(isStart).map(({ id, hash }) => [id, hash]));
    const changed = (await this.waiting()).filter(
      (one) => one.folder.uri === uri && shown.get(one.request.serverId) !== one.hash,
    );
    if (changed.length === 0) {
      await this.parts.service.trust.trustFolder(uri);
    }
    return { refused: changed.map(({ request }) => request.name) };
  }

  /** @returns names of servers that say something else by now than was shown */
  private async acceptDefinitions(choices: readonly ConsentChoice[]): Promise<readonly string[]> {
    const changed = this.changed();
    const chosen = choices.filter((choice) => !isStart(choice));
    const found = changed.filter(({ hash }) => chosen.some((choice) => choice.hash === hash));
    for (const [server, all] of groupBy(found, ({ server }) => server)) {
      await server.acceptDefinitions(all.map(({ change }) => change.fingerprint));
    }
    const lost = chosen.filter(({ hash }) => !found.some((one) => one.hash === hash));
    return changed.flatMap(({ server }) =>
      lost.some(({ id }) => id === server.id) ? [server.definition.name] : [],
    );
  }

  private changed(): readonly Changed[] {
    const { service } = this.parts;
    return service.trust.isWorkspaceTrusted
      ? changedDefinitionsIn(service, this.parts.folders()).map(({ server, change }) => ({
          server,
          change,
          hash: definitionLead + digest(stableStringify({ id: server.id, change })),
        }))
      : [];
  }

  private async waiting(): Promise<readonly Waiting[]> {
    const { trust } = this.parts.service;
    const all = this.parts.folders().map(async (folder) =>
      (await trust.pendingConsent(folder.uri)).map((request) => ({
        folder,
        request,
        hash: hashOf(folder, request),
      })),
    );
    return (await Promise.all(all)).flat();
  }

  private originOf({ request }: Waiting) {
    return this.parts.service.getServer(request.serverId)?.definition.origin;
  }

  private commitOf(path: string, of: Waiting | undefined) {
    const fsPath = of?.folder.fsPath;
    return path === '' || fsPath === undefined
      ? undefined
      : lastCommit(fsPath, path, this.parts.environment);
  }
}

/** Tells answers about definitions from those about starts. */
const definitionLead = 'definition ';

function isStart({ hash }: ConsentChoice): boolean {
  return !hash.startsWith(definitionLead);
}

function definitionCard({ server, change, hash }: Changed, isFolderNamed: boolean): Card {
  const { name, folder } = server.definition;
  return {
    isDefinition: true,
    id: server.id,
    hash,
    name,
    folderUri: folder?.uri,
    folder: isFolderNamed ? folder?.name : undefined,
    note: changeSentence(change),
    lines: definitionLines(change),
  };
}

function cardOf({ folder, request, hash }: Waiting, isFolderNamed: boolean): Card {
  const lines = requestLines(request).map(({ kind, label, rows, change }) => ({
    kind,
    label,
    rows,
    change,
  }));
  const note = requestNote(request);
  return {
    id: request.serverId,
    hash,
    name: request.name,
    folderUri: folder.uri,
    folder: isFolderNamed ? folder.name : undefined,
    note,
    lines,
  };
}

function isPlainText(text: string): boolean {
  return shownParts(text).every(({ instead }) => !instead);
}

/** Of everything that decides what an answer grants, what was found on this machine included. */
function hashOf(
  { uri }: WorkspaceFolder,
  { serverId, name, reason, description, launchHash }: ConsentRequest,
): string {
  return digest(stableStringify({ uri, serverId, name, reason, description, launchHash }));
}
