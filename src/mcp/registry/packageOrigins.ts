import { isJsonObject } from '../../base/json.js';
import type { McpServerLaunch } from '../../config/definition.js';
import { type PackageSpec, packageOf } from '../../config/lint/packageSpec.js';
import type { KeptValue } from '../../platform/ports.js';

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
  constructor(private readonly kept: KeptValue) {}

  of(spec: PackageSpec): PackageOrigin | undefined {
    const all = this.kept.recall();
    const key = keyOf(spec);
    const one = isJsonObject(all) && Object.hasOwn(all, key) ? all[key] : undefined;
    return isJsonObject(one) && typeof one.registry === 'string' && typeof one.name === 'string'
      ? { registry: one.registry, name: one.name }
      : undefined;
  }

  /** Does nothing for a launch that names no package. */
  async remember(launch: McpServerLaunch | undefined, origin: PackageOrigin): Promise<void> {
    const spec = launch?.kind === 'stdio' ? packageOf(launch.command, launch.args) : undefined;
    if (spec) {
      const all = this.kept.recall();
      const { [keyOf(spec)]: _before, ...others } = isJsonObject(all) ? all : {};
      const newest = Object.entries(others).slice(1 - maxRemembered);
      await this.kept.remember(Object.fromEntries([...newest, [keyOf(spec), { ...origin }]]));
    }
  }
}

function keyOf({ registry, name }: PackageSpec): string {
  return `${registry} ${name}`;
}
