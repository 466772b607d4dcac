import type { McpServerLaunch } from '../../config/definition.js';
import { type PackageSpec, packageOf } from '../../config/lint/packageSpec.js';
import type { KeptValue } from '../../platform/ports.js';
import { KeptEntries } from './keptEntries.js';

/** A server of an MCP registry. */
export interface PackageOrigin {
  /** Address of the registry. */
  readonly registry: string;
  /** `namespace/name` */
  readonly name: string;
}

const maxRemembered = 500;

/**
 * As which server of which MCP registry the user has added a package: no file says it, so that no file decides whom we
 * ask about what it runs.
 */
export class PackageOrigins {
  private readonly entries: KeptEntries;

  constructor(kept: KeptValue) {
    this.entries = new KeptEntries(kept, maxRemembered);
  }

  of(spec: PackageSpec): PackageOrigin | undefined {
    const { registry, name } = this.entries.get(keyOf(spec)) ?? {};
    return typeof registry === 'string' && typeof name === 'string'
      ? { registry, name }
      : undefined;
  }

  /** Does nothing for a launch that names no package. */
  async remember(launch: McpServerLaunch | undefined, origin: PackageOrigin): Promise<void> {
    const spec = launch?.kind === 'stdio' ? packageOf(launch.command, launch.args) : undefined;
    await (spec && this.entries.set(keyOf(spec), { ...origin }));
  }
}

function keyOf({ registry, name }: PackageSpec): string {
  return `${registry} ${name}`;
}
