/** What the registry's page asks for. Writes entries through the configuration's editor; starts nothing. No `vscode`. */
import * as l10n from '@vscode/l10n';
import { HumanError, isHumanError } from '../../base/errors.js';
import { showHidden } from '../../base/text/showHidden.js';
import type { NewServer } from '../../config/configuration.js';
import { type McpServerLaunch, serverId } from '../../config/definition.js';
import { folderUnknown } from '../../config/errors.js';
import type { SecretKeeper } from '../../config/fixes/secretKeeper.js';
import { packageOf } from '../../config/lint/packageSpec.js';
import { launchOfEntry } from '../../config/parse/launchOfEntry.js';
import type { PastedServer } from '../../config/paste/addedServer.js';
import { uniqueName } from '../../config/paste/serverName.js';
import { redactEntry } from '../../config/secrets/redact.js';
import type { McpPool, McpService } from '../../mcp/mcpApi.js';
import { launchCautions, openAddressCautions } from '../../mcp/registry/cautions.js';
import {
  checkAnswers,
  type InstallEntry,
  installEntry,
  registryServerName,
} from '../../mcp/registry/installEntry.js';
import { type InstallWay, installWays } from '../../mcp/registry/installWay.js';
import type { RegistryClient } from '../../mcp/registry/registryClient.js';
import type { RegistryServer } from '../../mcp/registry/serverJson.js';
import { launchLine, launchLines } from '../../mcp/trust/launchLines.js';
import type {
  AddedServer,
  FieldTroubleView,
  InstallParams,
  InstallPreview,
  RegistryDetails,
  RegistryPlace,
  RegistryRows,
} from '../../protocol/registry/registryProtocol.js';
import { type ServerPlace, serverPlaces } from '../configPage/viewState.js';
import { linkedDetails, registryDetails, registryRows } from './registryViews.js';

export interface RegistryInstallerParts {
  readonly service: McpService;
  readonly secrets: SecretKeeper;
  /** @throws {HumanError} when the setting names no registry. */
  readonly client: () => RegistryClient;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Of the user, such as `en`. */
  readonly language: string;
}

/** Something that was shown, and can be added. */
interface Offer {
  readonly ways: readonly InstallWay[];
  readonly server?: RegistryServer;
  readonly entryOf: (
    way: InstallWay,
    answers: InstallParams['answers'],
    taken: ReadonlySet<string>,
  ) => InstallEntry;
}

/** Offers that a page may still show. */
const maxOffers = 50;

export class RegistryInstaller {
  private readonly offers = new Map</* id */ string, Offer>();
  private count = 0;

  constructor(private readonly parts: RegistryInstallerParts) {}

  /** Where servers can be put; those of folders first, as new servers belong to the project. */
  get places(): readonly RegistryPlace[] {
    return this.serverPlaces().map((place) => ({
      id: placeId(place),
      label: showHidden(place.label),
      path: showHidden(place.path),
    }));
  }

  async search(text: string, cursor?: string, signal?: AbortSignal): Promise<RegistryRows> {
    const page = await this.parts.client().list({ search: text, cursor }, signal);
    return registryRows(page, (server) => this.namesOf(server));
  }

  async open(name: string, signal?: AbortSignal): Promise<RegistryDetails> {
    const { client, now, language } = this.parts;
    const registry = client();
    const server = await registry.latest(name, signal);
    const ways = installWays(server, registry.isOfficial);
    const id = this.offer({ ways, server, entryOf: installEntry });
    const suggestedName = this.freeName(registryServerName(name));
    return registryDetails(server, { id, ways, suggestedName }, { now: now(), language });
  }

  /** What a link has brought. Its entry is shown, and nothing in it is asked for. */
  showLinked({ name, entry }: PastedServer): RegistryDetails {
    const launch = launchOfEntry(name, entry);
    const way: InstallWay = {
      id: 'link',
      title: launch ? launchLine(launch) : name,
      blocker: launch ? undefined : l10n.t('The entry in the link cannot be used.'),
      fields: [],
      launch: { kind: 'stdio', command: '', args: [], env: [] },
      hasOpenAddress: false,
    };
    const id = this.offer({
      ways: [way],
      entryOf: () => ({ entry, inputs: [], secrets: [] }),
    });
    return linkedDetails({ id, ways: [way], suggestedName: this.freeName(name) });
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
    const { offer, way } = this.wanted(params);
    const troubles = await this.troublesOf(params, way);
    const isComplete = checkAnswers(way, params.answers).length === 0;
    if (way.blocker !== undefined || !isComplete) {
      return { troubles, lines: [], cautions: [], text: '' };
    }
    const taken = await this.takenIds(params);
    const { entry } = offer.entryOf(way, params.answers, taken);
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
        // inputs of a registry are of our own making
        ...(launch ? launchCautions(launch, offer.server ? ['reads_environment'] : []) : []),
      ],
      text: showHidden(JSON.stringify({ [name]: redactEntry(entry) }, null, 2)),
    };
  }

  /** @throws {HumanError} when something is missing, or the file cannot be written; then nothing was stored. */
  async add(params: InstallParams): Promise<AddedServer> {
    const { service, secrets } = this.parts;
    const { offer, way } = this.wanted(params);
    const [trouble] = await this.troublesOf(params, way);
    const refusal = way.blocker ?? trouble?.message;
    if (refusal !== undefined) {
      throw new HumanError('invalid_entry', refusal);
    }
    const { pool, place } = this.placeOf(params.place);
    const { name, answers } = params;
    const made = offer.entryOf(way, answers, await this.takenIds(params));
    const server: NewServer = { name, entry: made.entry, inputs: made.inputs };
    const plan = await secrets.plan([server], pool);
    const entered = made.secrets.map(({ inputId, value }) => ({
      key: { poolId: pool.id, inputId },
      value,
    }));
    await secrets.carryOut({ answers: [...entered, ...plan.answers] }, () =>
      service.configuration.addServers(pool.id, plan.servers, place.file),
    );
    const id = serverId(pool.id, name);
    const state = service.getServer(id)?.state.value.kind;
    return { id, name, path: place.path, needsConsent: state === 'trust_required' };
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

  private wanted({ id, way: wayId }: InstallParams) {
    const offer = this.offers.get(id);
    const way = offer?.ways.find((one) => one.id === wayId);
    if (!offer || !way) {
      throw new HumanError('registry_server_unknown', l10n.t('The server is not shown any more.'), {
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
    const { pool, place } = this.placeOf(id);
    const refusal = await nameRefusal(() =>
      configuration.checkName(name, { poolId: pool.id, file: place.file }),
    );
    return [
      ...(refusal === undefined ? [] : [{ field: 'name', message: refusal }]),
      ...checkAnswers(way, answers),
    ];
  }

  private takenIds({ place }: InstallParams): Promise<ReadonlySet<string>> {
    return this.parts.secrets.takenIds(this.placeOf(place).pool);
  }

  private serverPlaces(): readonly ServerPlace[] {
    const { service } = this.parts;
    const places = service.pools.flatMap((pool) => serverPlaces(pool, service));
    const isOfFolder = ({ poolId }: ServerPlace) => service.getPool(poolId)?.folder !== undefined;
    return [...places.filter(isOfFolder), ...places.filter((place) => !isOfFolder(place))];
  }

  private placeOf(id: string): { readonly pool: McpPool; readonly place: ServerPlace } {
    const place = this.serverPlaces().find((one) => placeId(one) === id);
    const pool = place && this.parts.service.getPool(place.poolId);
    if (!place || !pool) {
      throw folderUnknown();
    }
    return { pool, place };
  }

  private freeName(name: string): string {
    const taken = this.parts.service.pools.flatMap(({ servers }) =>
      servers.map(({ definition }) => definition.name),
    );
    return uniqueName(name, new Set(taken));
  }

  /** By what they start or reach, since nobody writes down from where an entry came. */
  private namesOf({ packages, remotes }: RegistryServer): readonly string[] {
    const addresses = new Set(remotes.map(({ url }) => url));
    const names = new Set(packages.map(({ identifier }) => identifier.replace(/[:@][^/]*$/, '')));
    const isSame = (launch: McpServerLaunch) =>
      launch.kind === 'http'
        ? addresses.has(launch.url)
        : names.has(packageOf(launch.command, launch.args)?.name ?? '');
    const found = this.parts.service.pools.flatMap(({ servers }) =>
      servers.flatMap(({ definition: { name, launch } }) =>
        launch && isSame(launch) ? [name] : [],
      ),
    );
    return [...new Set(found)];
  }
}

function placeId({ poolId, file }: ServerPlace): string {
  return `${file} ${poolId}`;
}

/** A file that is broken says so when it is written. */
async function nameRefusal(
  check: () => Promise<HumanError | undefined>,
): Promise<string | undefined> {
  try {
    return (await check())?.message;
  } catch (error) {
    if (isHumanError(error)) {
      return undefined;
    }
    throw error;
  }
}
