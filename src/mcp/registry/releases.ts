/** What is newer than the package that an entry pins, and what it asks for. */
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { type PackageSpec, packageOf } from '../../config/lint/packageSpec.js';
import { launchOfEntry } from '../../config/parse/launchOfEntry.js';
import { installEntry } from './installEntry.js';
import { type InstallWay, installWays } from './installWay.js';
import { isAskable, newerOf, newestVersion, type VersionSources } from './newestVersion.js';
import type { PackageOrigin, PackageOrigins } from './packageOrigins.js';
import type { RegistryClient } from './registryClient.js';

export interface Release {
  readonly version: string;
  /** Variables and arguments that it does not run without, as its publisher says. */
  readonly asks: ReleaseNeeds;
}

export interface ReleaseNeeds {
  readonly variables: readonly string[];
  readonly args: readonly string[];
}

export interface ReleasesParts extends VersionSources {
  readonly origins: PackageOrigins;
  /** That of the settings. @throws {HumanError} when they name none. */
  readonly client: () => RegistryClient;
}

const nothing: ReleaseNeeds = { variables: [], args: [] };

/** Of a package that was added from an MCP registry that one tells, of others the registry of its packages. */
export class Releases {
  constructor(private readonly parts: ReleasesParts) {}

  /** Whether somebody is known who could tell. */
  knows(spec: PackageSpec): boolean {
    return isAskable(spec) || this.parts.origins.of(spec) !== undefined;
  }

  /** `undefined`: none that is newer than the one that the entry names. @throws {HumanError} */
  async newest(spec: PackageSpec): Promise<Release | undefined> {
    const origin = this.parts.origins.of(spec);
    if (origin) {
      return await this.released(spec, origin);
    }
    const version = await newestVersion(spec, this.parts);
    return version === undefined ? undefined : { version, asks: nothing };
  }

  private async released(
    spec: PackageSpec,
    { registry, name }: PackageOrigin,
  ): Promise<Release | undefined> {
    const client = this.parts.client();
    if (client.address !== registry) {
      throw new HumanError(
        'package_version_unknown',
        l10n.t('It was added from another registry: {0}', registry),
        {
          remedy: l10n.t('Set "{0}" to it, or change the version yourself.', 'piMcp.registry.url'),
        },
      );
    }
    const { packages } = await client.latest(name);
    const ways = installWays({ packages, remotes: [] }, client.isOfficial);
    return ways.map((way) => releaseIn(way, spec)).find((release) => release !== undefined);
  }
}

/** `undefined` for another package, and for a version that is not newer. */
function releaseIn(way: InstallWay, spec: PackageSpec): Release | undefined {
  const { launch } = way;
  const made = launchOfEntry('server', installEntry(way, {}).entry);
  if (way.blocker !== undefined || launch.kind !== 'stdio' || made?.kind !== 'stdio') {
    return undefined;
  }
  const found = packageOf(made.command, made.args);
  const isSame = found?.registry === spec.registry && found.name === spec.name;
  const version = isSame ? newerOf(spec, found.version ?? '') : undefined;
  if (version === undefined || !found) {
    return undefined;
  }
  const isNeeded = (id: string) => way.fields.some((one) => one.id === id && one.isRequired);
  const isFixed = ({ value }: (typeof launch.env)[number]) =>
    value.every((piece) => 'text' in piece || isNeeded(piece.field));
  const flags = launch.args.flatMap(({ flag, value }) =>
    value.some((piece) => 'field' in piece && isNeeded(piece.field)) ? (flag ?? []) : [],
  );
  // what stands before the package, and `--yes`, is for the runner
  const words = made.args.slice(found.argIndex + 1).filter((word) => !/^--(?:yes)?$/.test(word));
  return {
    version,
    asks: {
      variables: launch.env.filter(isFixed).map(({ name }) => name),
      args: [...new Set([...words, ...flags])],
    },
  };
}
