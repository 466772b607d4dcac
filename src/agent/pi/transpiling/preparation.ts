/** The files that an extension will import, turned into JavaScript before it does so. */

import { dirname, extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { parseJsonObject } from '../../../base/json.js';
import { addAll } from '../../../base/lists.js';
import { readTextFile } from '../../../platform/boundedFile.js';
import type { Jiti, JitiInput } from './jiti.js';
import type { Transpiler, TranspilerSettings } from './transpilerThread.js';

interface ImportedFile {
  readonly filename: string;
  /** Whether it is imported, not required. */
  readonly isAsync: boolean;
}

/** What some extensions of one user consist of; the oldest go first. */
const maxKept = 500;

export class Preparation {
  private readonly kept = new Map</* mode and name */ string, { source: string; code: string }>();

  /** @param transpile gives `undefined` when it could not */
  constructor(private readonly transpile: Transpiler) {}

  /** `undefined`: the file was not prepared, or has changed. */
  preparedFor(input: Pick<JitiInput, 'filename' | 'source' | 'async'>) {
    const found = this.kept.get(keyOf(input.filename, input.async));
    return found?.source === input.source ? { code: found.code } : undefined;
  }

  /** Never rejects: what could not be prepared fails, or not, where jiti imports it. */
  async prepare(jiti: Jiti, specifier: string, settings: TranspilerSettings): Promise<void> {
    const files: ImportedFile[] = resolved(jiti, { specifier, isAsync: true });
    const seen = new Set<string>();
    // grows with what the files import
    for (const file of files) {
      const key = keyOf(file.filename, file.isAsync);
      if (!seen.has(key)) {
        seen.add(key);
        await setImmediate();
        const code = await this.codeOf(file, jiti, settings);
        addAll(
          files,
          importsOf(code ?? '').flatMap((one) => resolved(jiti, one, file.filename)),
        );
      }
    }
  }

  /** `undefined`: Node.js loads it as it is, or it cannot be read. */
  private async codeOf(
    { filename, isAsync }: ImportedFile,
    jiti: Jiti,
    settings: TranspilerSettings,
  ): Promise<string | undefined> {
    const source = await textOf(filename);
    if (source === undefined || !(await isTransformed(filename, source, isAsync))) {
      return undefined;
    }
    const input: JitiInput = {
      filename,
      source,
      ts: isTypeScript(filename),
      async: isAsync,
      jsx: jiti.options.jsx,
    };
    const code = this.preparedFor(input)?.code ?? (await this.transpile({ ...settings, input }));
    if (code !== undefined) {
      this.keep(keyOf(filename, isAsync), { source, code });
    }
    return code;
  }

  private keep(key: string, prepared: { source: string; code: string }): void {
    this.kept.delete(key);
    this.kept.set(key, prepared);
    const [oldest = key] = this.kept.keys();
    if (this.kept.size > maxKept) {
      this.kept.delete(oldest);
    }
  }
}

const keyOf = (filename: string, isAsync: boolean) =>
  `${isAsync ? 'import' : 'require'} ${filename}`;

interface Import {
  readonly specifier: string;
  readonly isAsync: boolean;
}

/** The relative names in what jiti made of a file; types are not imported any more. */
function importsOf(code: string): readonly Import[] {
  const calls = code.matchAll(/\b(jitiImport|require)\(\s*(["'])(\.{1,2}\/[^"'\\\n]*)\2/g);
  return [...calls].map(([, name, , specifier = '']) => ({
    specifier,
    isAsync: name === 'jitiImport',
  }));
}

function resolved(jiti: Jiti, { specifier, isAsync }: Import, importer?: string): ImportedFile[] {
  try {
    const from = importer === undefined ? {} : { parentURL: pathToFileURL(importer).href };
    const filename = jiti.resolve(specifier, { ...from, try: true });
    return filename === undefined ? [] : [{ filename, isAsync }];
  } catch {
    // the extension gets the error when it imports it
    return [];
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readTextFile(path);
  } catch {
    // as above
    return undefined;
  }
}

const isTypeScript = (filename: string) => /\.[cm]?tsx?$/.test(filename);

/** As jiti decides it, but for a comment that only speaks of imports. */
async function isTransformed(filename: string, source: string, isAsync: boolean): Promise<boolean> {
  switch (extname(filename)) {
    case '.mjs':
      return !isAsync;
    case '.js':
      return (await isOfModules(filename)) ? !isAsync : /\b(?:import|export)\b/.test(source);
    default:
      return isTypeScript(filename);
  }
}

/** What the nearest `package.json` says. */
async function isOfModules(filename: string): Promise<boolean> {
  for (let folder = dirname(filename); ; folder = dirname(folder)) {
    const text = await textOf(join(folder, 'package.json'));
    if (text !== undefined || folder === dirname(folder)) {
      return parseJsonObject(text ?? '')?.type === 'module';
    }
  }
}
