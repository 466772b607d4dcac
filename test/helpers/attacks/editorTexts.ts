import { readFile } from 'node:fs/promises';
import { getLocation, visit } from 'jsonc-parser';
import type { WorkspaceFolder } from '../../../src/config/definition.js';
import { completionPlace } from '../../../src/config/language/completionPlace.js';
import { describeValue, placeInEntry } from '../../../src/config/language/describeValue.js';
import { projectPackages } from '../../../src/config/language/projectPackages.js';
import { lintConfig } from '../../../src/config/lint/lintConfig.js';
import { machineSurroundings } from '../../../src/config/lint/machineSurroundings.js';
import {
  type ConfigFileLocation,
  folderConfigFiles,
  globalConfigFiles,
  isFolderLayer,
} from '../../../src/config/parse/configLocations.js';
import { parseJsonDocument } from '../../../src/config/parse/jsonDocument.js';
import { parseLocation } from '../../../src/config/parse/parseLocation.js';
import { mayShowValues } from '../../../src/presentation/language/mayShowValues.js';
import { serverLenses } from '../../../src/presentation/language/serverLenses.js';
import type { Scene } from './scene.js';

/**
 * What an editor shows when each configuration file is open in it, read from end to end: problems, lenses, and at every
 * string what a hover and a completion have to say.
 */
export async function editorTexts(scene: Scene): Promise<string> {
  const { folder, environment } = scene;
  const files: readonly (readonly [ConfigFileLocation, WorkspaceFolder | undefined])[] = [
    ...folderConfigFiles(folder, environment).map((location) => [location, folder] as const),
    ...globalConfigFiles(environment).map((location) => [location, undefined] as const),
  ];
  const shown = await Promise.all(files.map((file) => fileTexts(scene, ...file)));
  const packages = await projectPackages(scene.path());
  return JSON.stringify([shown, packages], undefined, 1);
}

async function fileTexts(
  scene: Scene,
  location: ConfigFileLocation,
  folder: WorkspaceFolder | undefined,
): Promise<unknown> {
  const text = await readFile(location.path, 'utf8').catch(() => undefined);
  if (text === undefined) {
    return [];
  }
  const { service, environment, core } = scene;
  const file = parseLocation(text, location);
  const problems = await lintConfig(
    { file, document: parseJsonDocument(text), isCommitted: isFolderLayer(location.layer) },
    machineSurroundings({ environment, folder, isTrusted: core.isTrusted }),
  );
  const pool = service.pools.find((candidate) => candidate.folder?.uri === folder?.uri);
  const entries = file.entries.map((entry) => {
    const server = pool?.servers.find(({ definition }) => definition.name === entry.name);
    const mayResolve = mayShowValues(server, folder, service.trust);
    const hovers = stringsOf(text)
      .filter(({ offset }) => offset >= entry.range.start && offset <= entry.range.end)
      .map(({ offset, value }) => {
        const place = placeInEntry(entry, getLocation(text, offset + 1).path);
        const storedInputs = new Set(['planted']);
        return [
          describeValue(value, { ...place, environment, folder, mayResolve, storedInputs }),
          completionPlace(text, offset + 1, file),
        ];
      });
    return [server ? serverLenses(server, entry, location.path) : [], entry.problems, hovers];
  });
  return [file.problems, problems, entries];
}

function stringsOf(text: string): readonly { readonly offset: number; readonly value: string }[] {
  const found: { offset: number; value: string }[] = [];
  visit(text, {
    onLiteralValue: (value, offset) => {
      if (typeof value === 'string') {
        found.push({ offset, value });
      }
    },
  });
  return found;
}
