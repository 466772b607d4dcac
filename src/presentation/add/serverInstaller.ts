/** What the page that adds servers asks for. Writes entries through the configuration's editor; starts nothing. No `vscode`. */
import * as l10n from '@vscode/l10n';
import { HumanError, isHumanError } from '../../base/errors.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { NewServer } from '../../config/configuration.js';
import { type McpServerLaunch, serverId } from '../../config/definition.js';
import { takeName } from '../../config/fixes/quickFixes.js';
import type { SecretKeeper } from '../../config/fixes/secretKeeper.js';
import { variablesOf } from '../../config/launch/variables.js';
import { launchOfEntry } from '../../config/parse/launchOfEntry.js';
import type { PastedServer, PasteWish } from '../../config/paste/addedServer.js';
import { readPaste } from '../../config/paste/pastedServers.js';
import { redactEntry } from '../../config/secrets/redact.js';
import type { BundleStore, OpenedBundle } from '../../mcp/bundles/bundleStore.js';
import type { Fetch } from '../../mcp/connection/http/fetch.js';
import type { McpService } from '../../mcp/mcpApi.js';
import { launchCautions, openAddressCautions } from '../../mcp/registry/cautions.js';
import {
  checkAnswers,
  type InstallEntry,
  installEntry,
  registryServerName,
} from '../../mcp/registry/installEntry.js';
import { type InstallWay, installWays } from '../../mcp/registry/installWay.js';
import type { PackageOrigin, PackageOrigins } from '../../mcp/registry/packageOrigins.js';
import type { RegistryClient } from '../../mcp/registry/registryClient.js';
import { catalogAddress, findServerCards } from '../../mcp/registry/serverCards.js';
import type { RegistryServer } from '../../mcp/registry/serverJson.js';
import { launchLines } from '../../mcp/trust/launchLines.js';
import type {
  AddedServer,
  AddReading,
  FieldTroubleView,
  ImportChoice,
  InstallParams,
  InstallPreview,
  OfferDetails,
  RegistryRows,
} from '../../protocol/add/addProtocol.js';
import { AddPlaces } from './addPlaces.js';
import {
  type BroughtForm,
  bundleDetails,
  type ImportFiles,
  importChoices,
  nameRefusal,
  namesUsing,
  pastedDetails,
  pasteWords,
  registryDetails,
  registryRows,
  serversIn,
  wrongText,
} from './addViews.js';
import { cardReading } from './cardViews.js';
import { pastedOffer, pastedWay } from './pastedOffer.js';

export interface ServerInstallerParts {
  readonly service: McpService;
  readonly secrets: SecretKeeper;
  /** Where servers are looked for. */
  readonly sources: {
    /** @throws {HumanError} when the setting names no registry. */
    readonly client: () => RegistryClient;
    readonly importFiles: ImportFiles;
    readonly bundles: BundleStore;
    /** For what hosts list as their servers. */
    readonly fetch: Fetch;
  };
  readonly origins: PackageOrigins;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Of the user, such as `en`. */
  readonly language: string;
}

/** Something that was shown, and can be added. */
interface Offer {
  readonly ways: readonly InstallWay[];
  readonly server?: RegistryServer | undefined;
  readonly bundle?: OpenedBundle;
  readonly origin?: PackageOrigin;
  /** @param way its secrets are those that do not stand in the file */
  readonly entryOf: (
    way: InstallWay,
    answers: InstallParams['answers'],
    taken: ReadonlySet<string>,
  ) => InstallEntry;
}

/** Servers of one paste that are shown. */
const maxCards = 30;
/** Offers that a page may still show. */
const maxOffers = 3 * maxCards;

export class ServerInstaller {
  private readonly offers = new Map</* id */ string, Offer>();
  private count = 0;

  readonly places: AddPlaces;

  constructor(private readonly parts: ServerInstallerParts) {
    this.places = new AddPlaces(parts.service);
  }

  async search(text: string, cursor?: string, signal?: AbortSignal): Promise<RegistryRows> {
    const page = await this.parts.sources.client().list({ search: text, cursor }, signal);
    return registryRows(page, (server) => namesUsing(server, this.parts.service.pools));
  }

  async open(name: string): Promise<OfferDetails> {
    const { sources, now, language } = this.parts;
    const registry = sources.client();
    const server = await registry.latest(name);
    const ways = installWays(server, registry.isOfficial);
    const origin = { registry: registry.address, name };
    const id = this.offer({ ways, server, origin, entryOf: installEntry });
    const suggestedName = this.freeName(registryServerName(name));
    return registryDetails(server, { id, ways, suggestedName }, { now: now(), language });
  }

  /** What it is that somebody has pasted. Never rejects for a text. */
  async read(text: string, wish?: PasteWish): Promise<AddReading> {
    try {
      const reading = readPaste(text, wish);
      switch (reading.kind) {
        case 'servers': {
          const shown = await this.show(reading.servers, reading.form);
          const host = reading.form === 'url' ? catalogAddress(text)?.host : undefined;
          return shown.kind === 'servers' ? { ...shown, host } : shown;
        }
        case 'bundle':
          return await this.showBundles([reading.path]);
        default:
          return reading;
      }
    } catch (error) {
      return wrongText(error);
    }
  }

  /**
   * What the host of a pasted URL lists as its servers; asks that host alone. Never rejects for what it answers.
   * @param text as {@link read} had it
   */
  async discover(text: string, signal?: AbortSignal): Promise<AddReading> {
    const address = catalogAddress(text);
    if (!address) {
      return { kind: 'empty' };
    }
    const { fetch } = this.parts.sources;
    const search = await findServerCards(address, { fetch, most: maxCards, signal });
    return cardReading(search, address, (name, ways, server) => ({
      id: this.offer({ ways, server, entryOf: installEntry }),
      ways,
      suggestedName: this.freeName(registryServerName(name)),
    }));
  }

  /** What a text would add, in words; `undefined`: nothing. */
  describe(text: string): string | undefined {
    try {
      const reading = readPaste(text);
      return reading.kind === 'servers'
        ? pasteWords(reading.form, reading.servers)
        : reading.kind === 'bundle'
          ? pasteWords('bundle', [reading])
          : undefined;
    } catch (error) {
      if (isHumanError(error)) {
        return undefined;
      }
      throw error;
    }
  }

  async imports(): Promise<readonly ImportChoice[]> {
    return importChoices(await this.parts.sources.importFiles());
  }

  async showImports(source: string): Promise<AddReading> {
    return await this.show(serversIn(await this.parts.sources.importFiles(), source), 'import');
  }

  /** Cards of bundles; nothing of them is unpacked. Never rejects for what they hold. @param paths absolute */
  async showBundles(paths: readonly string[]): Promise<AddReading> {
    try {
      const opened = await Promise.all(
        paths.slice(0, maxCards).map((path) => this.parts.sources.bundles.open(path)),
      );
      return {
        kind: 'servers',
        what: pasteWords('bundle', opened),
        mayBeWords: false,
        cards: opened.map((bundle) => this.bundleCard(bundle)),
        isOpen: true,
      };
    } catch (error) {
      return wrongText(error);
    }
  }

  /** Fetches the bundle of a way and shows what it holds; nothing of it is unpacked. Rejects with the signal's reason. */
  async openPackage(id: string, way: string, signal?: AbortSignal): Promise<AddReading> {
    const { bundles, fetch } = this.parts.sources;
    const { bundle } = this.offers.get(id)?.ways.find((one) => one.id === way) ?? {};
    if (!bundle) {
      return { kind: 'empty' };
    }
    try {
      return await this.showBundles([await bundles.download(bundle, fetch, signal)]);
    } catch (error) {
      return wrongText(error);
    }
  }

  private bundleCard(bundle: OpenedBundle): OfferDetails {
    const { way, manifest, folder } = bundle;
    const id = this.offer({
      ways: [way],
      bundle,
      // a name made of digits is no secret
      entryOf: (...args) => ({ ...installEntry(...args), kept: [folder] }),
    });
    const suggestedName = this.freeName(registryServerName(manifest.name));
    return bundleDetails(bundle, { id, ways: [way], suggestedName });
  }

  /** Cards of servers that somebody has brought. Nothing of them is written or started. */
  async show(servers: readonly PastedServer[], form: BroughtForm): Promise<AddReading> {
    const made = await Promise.all(
      servers.slice(0, maxCards).map((server) => this.showPasted(server, form)),
    );
    return {
      kind: 'servers',
      what:
        servers.length > maxCards
          ? l10n.t('{0} of {1} servers', maxCards, servers.length)
          : pasteWords(form, servers),
      mayBeWords: form === 'command' || form === 'package',
      cards: made.map(({ details }) => details),
      isOpen: made.every(({ isOpen }) => isOpen),
    };
  }

  private async showPasted(server: PastedServer, form: BroughtForm) {
    const { configuration } = this.parts.service;
    const { name, entry, from } = server;
    const { fields, hasSecrets, entryOf } = pastedOffer(
      server,
      await this.parts.secrets.find(server),
    );
    const way = pastedWay(server, fields, configuration.validate(name, entry));
    const launch = launchOfEntry(name, entry);
    const id = this.offer({
      ways: [way],
      entryOf: (asked, answers, taken) => entryOf(asked.fields, answers, taken),
    });
    const suggestedName = this.freeName(name);
    return {
      details: pastedDetails({ id, ways: [way], suggestedName }, { form, from, launch }),
      isOpen: !hasSecrets && entry.env === undefined && entry.headers === undefined,
    };
  }

  /** Address of a page about the server that its entry names; `undefined` when there is none. */
  linkOf(id: string, link: string): string | undefined {
    const { server } = this.offers.get(id) ?? {};
    return link === 'repository'
      ? server?.repository
      : link === 'website'
        ? server?.website
        : undefined;
  }

  /** Writes nothing. What is missing or wrong is in the answer. */
  async preview(params: InstallParams): Promise<InstallPreview> {
    const { way } = this.wanted(params);
    const troubles = await this.troublesOf(params, way);
    const isComplete = troubles.every(({ field }) => field === 'name');
    if (way.blocker !== undefined || !isComplete) {
      return { troubles, lines: [], cautions: [], text: '' };
    }
    const { server } = await this.plan(params);
    const { entry } = server;
    const name = params.name || 'server';
    const launch = launchOfEntry(name, entry);
    const lines = launch ? launchLines(launch) : [];
    return {
      troubles,
      lines: lines
        .filter(({ kind }) => kind !== 'trait')
        .map(({ label, text }) => ({ label, text })),
      cautions: [
        ...openAddressCautions(way, entry),
        ...(launch ? launchCautions(launch, readsMore(launch) ? [] : ['reads_environment']) : []),
      ],
      text: showHidden(JSON.stringify({ [name]: redactEntry(entry) }, null, 2)),
    };
  }

  /** @throws {HumanError} when something is missing, or the file cannot be written; then nothing was stored. */
  async add(params: InstallParams): Promise<AddedServer> {
    const { service, secrets, sources, origins } = this.parts;
    const { way } = this.wanted(params);
    const [trouble] = await this.troublesOf(params, way);
    const refusal = way.blocker ?? trouble?.message;
    if (refusal !== undefined) {
      throw new HumanError('invalid_entry', refusal);
    }
    const { server, answers, pool, file } = await this.plan(params);
    const write = () =>
      secrets.carryOut({ answers }, () =>
        service.configuration.addServers(pool.id, [server], file),
      );
    const { bundle, origin } = this.wanted(params).offer;
    const { path } = service.configuration.location(pool.id, file);
    await (bundle ? sources.bundles.add(bundle, path, write) : write());
    await (origin && origins.remember(launchOfEntry(server.name, server.entry), origin));
    return { id: serverId(pool.id, params.name), name: params.name };
  }

  /** What is written and what is stored: what is shown of it is that. */
  private async plan(params: InstallParams) {
    const { offer, way } = this.wanted(params);
    const { pool, place } = this.places.find(params.place);
    const { name, answers, plain } = params;
    const made = offer.entryOf(way, answers, await this.parts.secrets.takenIds(pool));
    const kept = [...(made.kept ?? []), ...plain.map((field) => answers[field] ?? '')];
    const isKept = (written: string) => kept.some((one) => one !== '' && written.includes(one));
    const planned = await this.parts.secrets.plan(
      [{ name, entry: made.entry, inputs: made.inputs }],
      pool,
      (_secret, written) => !isKept(written),
    );
    const [server = { name, entry: made.entry }]: readonly NewServer[] = planned.servers;
    const entered = made.secrets.map(({ inputId, value }) => ({
      key: { poolId: pool.id, inputId },
      value,
    }));
    return { server, answers: [...entered, ...planned.answers], pool, file: place.file };
  }

  private offer(offer: Offer): string {
    const id = String(++this.count);
    this.offers.set(id, offer);
    const [oldest] = this.offers.keys();
    if (this.offers.size > maxOffers && oldest !== undefined) {
      this.offers.delete(oldest);
    }
    return id;
  }

  /** The way asks for no secret where the user wants one in the file. */
  private wanted({ id, way: wayId, plain }: InstallParams) {
    const offer = this.offers.get(id);
    const found = offer?.ways.find((one) => one.id === wayId);
    const way = found && {
      ...found,
      fields: found.fields.map((field) => ({
        ...field,
        isSecret: field.isSecret && !plain.includes(field.id),
      })),
    };
    if (!offer || !way) {
      throw new HumanError('registry_server_unknown', l10n.t('This is not there any more.'), {
        remedy: l10n.t('Search for it again.'),
      });
    }
    return { offer, way };
  }

  private async troublesOf(
    { name, place: id, answers }: InstallParams,
    way: InstallWay,
  ): Promise<readonly FieldTroubleView[]> {
    const { configuration } = this.parts.service;
    const { pool, place } = this.places.find(id);
    const refusal = await nameRefusal(() =>
      configuration.checkName(name, { poolId: pool.id, file: place.file }),
    );
    return [
      ...(refusal === undefined ? [] : [{ field: 'name', message: refusal }]),
      ...checkAnswers(way, answers),
    ];
  }

  private freeName(name: string): string {
    const taken = this.parts.service.pools.flatMap(({ servers }) =>
      servers.map(({ definition }) => definition.name),
    );
    return takeName(name, new Set(taken));
  }
}

/** Beside inputs, which are of our own making. */
function readsMore(launch: McpServerLaunch): boolean {
  return variablesOf(launch).some(({ kind }) => kind !== 'input');
}
