/** MCP servers among the npm packages that a project has already. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import { readTextFile } from '../../platform/boundedFile.js';
import { pathInFolder, realPathInFolder } from '../../platform/folderPath.js';
import { binaryOf, findInstalled } from '../../platform/npx/installedPackage.js';
import { isPackageName } from '../fixes/packageVersion.js';
import { suggestServerName } from '../paste/serverName.js';

export interface PackageServer {
  readonly name: string;
  readonly packageName: string;
  readonly entry: JsonObject;
}

// `mcp` as a word of the name: `@x/server-mcp`, `mcp-server-git`, `@modelcontextprotocol/server-x`
const namePattern = /(^|[^a-z])mcp([^a-z]|$)|modelcontextprotocol\/server-/i;

/**
 * Packages with a program whose name says MCP, from `package.json` and `node_modules`. Never rejects; links out of the folder
 * are not followed.
 */
export async function projectPackages(folder: string): Promise<readonly PackageServer[]> {
  const nodeModules = join(folder, 'node_modules');
  const names = new Set([...(await dependencies(folder)), ...(await installedNames(folder))]);
  const candidates = [...names]
    .filter((name) => namePattern.test(name) && isPackageName(name))
    .sort();
  const servers = await Promise.all(
    candidates.map(async (packageName) => {
      const manifest = join(nodeModules, packageName, 'package.json');
      const isHere = (await pathInFolder(folder, manifest)).kind === 'inside';
      const found = isHere
        ? await findInstalled(nodeModules, packageName).catch(() => undefined)
        : undefined;
      const isProgram = !found || binaryOf(found, undefined) !== undefined;
      return isProgram ? [toServer(packageName, found?.version)] : [];
    }),
  );
  return servers.flat();
}

function toServer(packageName: string, version: string | undefined): PackageServer {
  const spec = version === undefined ? packageName : `${packageName}@${version}`;
  const entry = { command: 'npx', args: ['-y', spec] };
  return { name: suggestServerName(entry), packageName, entry };
}

async function dependencies(folder: string): Promise<readonly string[]> {
  try {
    const manifest: unknown = JSON.parse(
      await readTextFile(await realPathInFolder(folder, 'package.json')),
    );
    const groups = isJsonObject(manifest)
      ? [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies]
      : [];
    return groups.filter(isJsonObject).flatMap((group) => Object.keys(group));
  } catch {
    // no project of npm, or one that npm would refuse
    return [];
  }
}

async function installedNames(folder: string): Promise<readonly string[]> {
  const names = await namesIn(folder, 'node_modules');
  const scoped = await Promise.all(
    names
      .filter((name) => name.startsWith('@'))
      .map(async (scope) => {
        const inside = await namesIn(folder, join('node_modules', scope));
        return inside.map((name) => `${scope}/${name}`);
      }),
  );
  return [...names.filter((name) => !/^[@.]/.test(name)), ...scoped.flat()];
}

async function namesIn(folder: string, path: string): Promise<readonly string[]> {
  const found = await pathInFolder(folder, path);
  return found.kind === 'inside' ? readdir(found.path).catch(() => []) : [];
}
