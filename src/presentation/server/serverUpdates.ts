/**
 * Newer versions of what an entry pins: asked of a registry for the one server whose page somebody looks at, at most
 * once a day, or when they ask for it. Nothing that a file says makes a request before its server may run. No `vscode`.
 */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { Emitter } from '../../base/event.js';
import { asList, asTexts, isJsonObject } from '../../base/json.js';
import type { McpServerLaunch } from '../../config/definition.js';
import { serverUnknown } from '../../config/errors.js';
import { launchHash } from '../../config/launch/launchHash.js';
import { isPinned, type PackageSpec, packageOf } from '../../config/lint/packageSpec.js';
import type { ConsentRequest, McpServer, McpService } from '../../mcp/mcpApi.js';
import { KeptEntries } from '../../mcp/registry/keptEntries.js';
import type { ReleaseNeeds, Releases } from '../../mcp/registry/releases.js';
import { isBlocked } from '../../mcp/stateKinds.js';
import { launchLine } from '../../mcp/trust/launchLines.js';
import type { KeptValue } from '../../platform/ports.js';
import type { ServerFact } from '../../protocol/server/serverProtocol.js';
import { formatAge } from '../consent/formatAge.js';
import { catalogChanges } from './catalogChanges.js';

export interface UpdateParts {
  readonly service: Pick<McpService, 'getServer' | 'configuration' | 'trials'>;
  readonly memory: KeptValue;
  readonly releases: Pick<Releases, 'knows' | 'newest'>;
  /** The setting, and that the workspace is trusted. */
  readonly mayAsk: () => { readonly byItself: boolean; readonly whenAsked: boolean };
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Of the user, such as `en`. */
  readonly language: string;
}

/** What is known of an entry that is pinned. */
export interface UpdateFacts {
  readonly name: string;
  readonly version: string;
  /** A newer one, which the user has not skipped. */
  readonly newest: string | undefined;
  readonly skipped: string | undefined;
  /** How long ago, in words. */
  readonly asked: string | undefined;
  /** The command line with the newer one. */
  readonly launch: string | undefined;
  /** What it does not run without, and the entry does not have. */
  readonly asks: readonly string[];
  /** What it offers otherwise; known once somebody has tried it in this window. */
  readonly changes: readonly ServerFact[];
}

/** A newer version, to be started once. */
export interface UpdateTrial {
  readonly newest: string;
  readonly launch: McpServerLaunch;
  /** What the user is to agree to. */
  readonly request: ConsentRequest;
}

const dayMs = 24 * 60 * 60 * 1000;
const maxRemembered = 200;

interface Remembered {
  readonly askedAt: number;
  readonly newest?: string | undefined;
  readonly asks?: ReleaseNeeds | undefined;
  readonly skipped?: string | undefined;
}

export class ServerUpdates {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly tried = new Map</* launch */ string, readonly ServerFact[]>();
  private readonly asking = new Map</* key */ string, Promise<void>>();

  private readonly known: KeptEntries;

  constructor(private readonly parts: UpdateParts) {
    this.known = new KeptEntries(parts.memory, maxRemembered);
  }

  /** `undefined` for an entry that pins nothing that a registry could tell of. */
  facts(server: McpServer): UpdateFacts | undefined {
    const spec = this.specIn(server);
    if (!spec) {
      return undefined;
    }
    const { now, language } = this.parts;
    const { newest, skipped, askedAt, asks } = this.remembered(spec) ?? {};
    const isOffered = newest !== undefined && newest !== skipped;
    const launch = isOffered ? launchWith(server, spec, newest) : undefined;
    return {
      name: spec.name,
      version: spec.version ?? '',
      newest: isOffered ? newest : undefined,
      skipped: newest === skipped ? skipped : undefined,
      asked: askedAt === undefined ? undefined : formatAge(now() - askedAt, language),
      launch: launch && launchLine(launch),
      asks: launch && asks ? missingIn(launch, asks) : [],
      changes: (launch && this.tried.get(trialKey(server, launch))) ?? [],
    };
  }

  /** Somebody looks at the page of the server. Never rejects. */
  async opened(server: McpServer): Promise<void> {
    const spec = this.specIn(server);
    const { askedAt = Number.NEGATIVE_INFINITY } = (spec && this.remembered(spec)) ?? {};
    const isDue = Math.abs(this.parts.now() - askedAt) >= dayMs;
    if (spec && isDue && this.parts.mayAsk().byItself && !isBlocked(server.state.value)) {
      // it is not what they came for; the next day, or the button, asks again
      await this.ask(spec).catch(() => this.remember(spec, { askedAt: this.parts.now() }));
    }
  }

  /** @throws {HumanError} when the registry does not tell, or must not be asked now. */
  async check(server: McpServer): Promise<void> {
    const spec = this.specIn(server);
    this.assertMayRun(server);
    await (spec && this.ask(spec));
  }

  /** What would run to see what the newer version offers. @throws {HumanError} where the server may not run */
  async describeTrial(server: McpServer): Promise<UpdateTrial | undefined> {
    this.assertMayRun(server);
    const spec = this.specIn(server);
    const newest = this.facts(server)?.newest;
    const launch = spec && newest !== undefined ? launchWith(server, spec, newest) : undefined;
    return newest !== undefined && launch
      ? { newest, launch, request: await this.parts.service.trials.describe(server.id, launch) }
      : undefined;
  }

  /** Runs what the user agreed to. @throws {HumanError} */
  async compare(server: McpServer, trial: UpdateTrial, signal: AbortSignal): Promise<void> {
    this.assertMayRun(server);
    const { launch, request } = trial;
    const catalog = await this.parts.service.trials.run(launch, request, signal);
    this.tried.set(trialKey(server, launch), catalogChanges(server.catalog.value, catalog));
    this.changed.fire();
  }

  private assertMayRun(server: McpServer): void {
    if (!this.parts.mayAsk().whenAsked || isBlocked(server.state.value)) {
      throw new HumanError(
        'trust_required',
        l10n.t('The server waits for your trust before it runs.'),
        { remedy: l10n.t('Review and trust it first.') },
      );
    }
  }

  async skip(server: McpServer): Promise<void> {
    const spec = this.specIn(server);
    const known = spec && this.remembered(spec);
    if (spec && known) {
      await this.remember(spec, { ...known, skipped: known.newest });
    }
  }

  /**
   * Writes the newer version into the entry; it is reviewed as any change of it.
   * @param shown the one that the user agreed to
   * @throws {HumanError}
   */
  async update(id: string, shown: string): Promise<void> {
    const { service } = this.parts;
    const server = service.getServer(id);
    const spec = server && this.specIn(server);
    const newest = spec && this.facts(server)?.newest;
    if (!server || !spec || newest === undefined || newest !== shown) {
      throw serverUnknown(server?.definition.name);
    }
    const { entry } = await service.configuration.read(id);
    const args = asList(entry.args);
    const at = args.indexOf(argumentWith(server, spec));
    if (at < 0) {
      throw new HumanError(
        'invalid_entry',
        l10n.t('The version is not where it can be changed from here.'),
        { remedy: l10n.t('Correct the entry.') },
      );
    }
    const changed = args.with(at, withVersion(String(args[at]), spec, newest));
    await service.configuration.updateServer(id, { entry: { args: changed } });
  }

  private async ask(spec: PackageSpec): Promise<void> {
    const key = keyOf(spec);
    const asking = this.asking.get(key) ?? this.askNow(spec).finally(() => this.asking.delete(key));
    this.asking.set(key, asking);
    await asking;
  }

  private async askNow(spec: PackageSpec): Promise<void> {
    const { version: newest, asks } = (await this.parts.releases.newest(spec)) ?? {};
    const { skipped } = this.remembered(spec) ?? {};
    await this.remember(spec, { askedAt: this.parts.now(), newest, asks, skipped });
  }

  private remembered(spec: PackageSpec): Remembered | undefined {
    const one = this.known.get(keyOf(spec));
    if (typeof one?.askedAt !== 'number') {
      return undefined;
    }
    const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
    const asks = isJsonObject(one.asks)
      ? { variables: asTexts(one.asks.variables), args: asTexts(one.asks.args) }
      : undefined;
    return { askedAt: one.askedAt, newest: text(one.newest), asks, skipped: text(one.skipped) };
  }

  private async remember(spec: PackageSpec, one: Remembered): Promise<void> {
    await this.known.set(keyOf(spec), { ...one });
    this.changed.fire();
  }

  private specIn({ definition: { launch } }: McpServer): PackageSpec | undefined {
    const spec = launch?.kind === 'stdio' ? packageOf(launch.command, launch.args) : undefined;
    return spec && isPinned(spec) && this.parts.releases.knows(spec) ? spec : undefined;
  }
}

/** With its version: another one in the file is asked about anew. */
function keyOf({ registry, name, version = '' }: PackageSpec): string {
  return `${registry} ${name} ${version}`;
}

/** As they would be written into the entry. */
function missingIn(launch: McpServerLaunch, { variables, args }: ReleaseNeeds): readonly string[] {
  if (launch.kind !== 'stdio') {
    return [];
  }
  const isGiven = (word: string) =>
    launch.args.some((arg) => arg === word || arg.startsWith(`${word}=`));
  return [
    ...variables.filter((name) => launch.env[name] === undefined),
    ...args.filter((word) => !isGiven(word)),
  ];
}

function argumentWith({ definition: { launch } }: McpServer, spec: PackageSpec): string {
  return launch?.kind === 'stdio' ? (launch.args[spec.argIndex] ?? '') : '';
}

/** The argument may be a whole line of a shell, in which the package is one word. */
function withVersion(argument: string, spec: PackageSpec, newest: string) {
  const { name, written, version = '' } = spec;
  // of an image by its digest tag and digest change together
  const changed = version.startsWith('sha256:')
    ? `${name}:${newest}`
    : `${written.slice(0, written.lastIndexOf(version))}${newest}`;
  const isIt = (word: string) => word === written || word.endsWith(`=${written}`);
  return argument
    .split(/(\s+)/)
    .map((word) => (isIt(word) ? `${word.slice(0, -written.length)}${changed}` : word))
    .join('');
}

function launchWith(
  server: McpServer,
  spec: PackageSpec,
  newest: string,
): McpServerLaunch | undefined {
  const { launch } = server.definition;
  if (launch?.kind !== 'stdio') {
    return undefined;
  }
  const args = launch.args.with(
    spec.argIndex,
    withVersion(argumentWith(server, spec), spec, newest),
  );
  return { ...launch, args };
}

function trialKey({ id }: McpServer, launch: McpServerLaunch): string {
  return `${id} ${launchHash(launch)}`;
}
