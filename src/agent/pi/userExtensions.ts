/** The user's own Pi extensions and packages, as far as they are on this machine. Nothing is fetched, and nothing run. */
import { basename, dirname, join, relative } from 'node:path';
import { isWithin } from '../../platform/withinFolder.js';
import type { PiModule, PiSettings } from './piModule.js';

/** A file with an extension, and where the user has it from. */
export interface FoundExtension {
  /** Absolute. */
  readonly path: string;
  /** Such as `npm:pi-tools`; absent for a file of the user's own folder. */
  readonly source?: string;
  /** Where it is in the folder, of which this is a copy. */
  readonly inFolder?: string;
}

export interface UserExtensions {
  readonly extensions: readonly FoundExtension[];
  /** Of packages; Pi finds the others by itself. */
  readonly skillPaths: readonly string[];
  readonly promptPaths: readonly string[];
  /** Packages of the settings that are not installed. */
  readonly missing: readonly string[];
}

export const noExtensions: UserExtensions = {
  extensions: [],
  skillPaths: [],
  promptPaths: [],
  missing: [],
};

/** @param settings of the user alone, packages included */
export async function findUserExtensions(
  pi: PiModule,
  places: { readonly cwd: string; readonly agentDir: string },
  settings: PiSettings,
): Promise<UserExtensions> {
  const packages = new pi.DefaultPackageManager({ ...places, settingsManager: settings });
  const missing: string[] = [];
  const found = await packages.resolve(async (source) => {
    missing.push(source);
    return 'skip';
  });
  type Resource = (typeof found.extensions)[number];
  const isOwn = ({ enabled, metadata }: Resource) => enabled && metadata.scope === 'user';
  const ofPackages = (resources: readonly Resource[]) =>
    resources
      .filter((one) => isOwn(one) && one.metadata.origin === 'package')
      .map(({ path }) => path);
  return {
    extensions: found.extensions.filter(isOwn).map(({ path, metadata }) => ({
      path,
      source: metadata.origin === 'package' ? metadata.source : undefined,
    })),
    skillPaths: ofPackages(found.skills),
    promptPaths: ofPackages(found.prompts),
    missing,
  };
}

/** Words that tell the extension from others: its package, or its file. */
export function extensionName(found: FoundExtension, agentDir: string): string {
  const { path, source, inFolder } = found;
  const known = inFolder ?? source;
  if (known !== undefined) {
    return known;
  }
  const inside = relative(agentDir, path);
  const isEntry = /^index\.[jt]s$/.test(basename(path));
  return !isWithin(agentDir, path) ? path : isEntry ? dirname(inside) : inside;
}

/** Extensions that bring servers of their own would offer every tool twice. */
export function bringsServers({ path, source }: FoundExtension): boolean {
  return /(?:^|[/\\:@])pi-mcp(?:-adapter|-loader|-extension)?(?:@|[/\\.]|$)|mcp-loader/i.test(
    source ?? join(basename(dirname(path)), basename(path)),
  );
}
