import { stat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { createScanner } from 'jsonc-parser';
import { errorCode, isHumanError } from '../../base/errors.js';
import { readTextFile } from '../../platform/boundedFile.js';
import { realPathInFolder } from '../../platform/folderPath.js';
import type { ConfigProblem } from '../definition.js';
import { maxLengthOf } from '../parse/bounds.js';
import type { ConfigFileLocation } from '../parse/configLocations.js';
import type { ParsedConfigFile } from '../parse/configTypes.js';
import { emptyFile } from '../parse/parseConfig.js';
import { parseLocation } from '../parse/parseLocation.js';

/** What is known about one configuration file. */
export interface ConfigFileState {
  readonly location: ConfigFileLocation;
  readonly exists: boolean;
  /** The last good content; stays when the file breaks. */
  readonly parsed: ParsedConfigFile;
  /** Problems of the text as it is now. */
  readonly problems: readonly ConfigProblem[];
}

/** Milliseconds that a file may be empty while an editor writes it anew. */
export const emptyFileMs = 1000;

/** Reads configuration files and remembers the last good state of each. */
export class ConfigFileStore {
  private readonly known = new Map</* key */ string, { text: string; state: ConfigFileState }>();
  /** Files that lost their content a moment ago, and since when (monotonic milliseconds) nobody has written them. */
  private readonly emptied = new Map<
    /* key */ string,
    { readonly since: number; readonly modifiedAt: number }
  >();

  /** @param parse what it throws is a problem of that file alone */
  constructor(private readonly parse = parseLocation) {}

  /** Some file is empty and counts as it was before; it has to be read again after {@link emptyFileMs}. */
  get isWaiting(): boolean {
    return this.emptied.size > 0;
  }

  /**
   * Reads the file afresh; an unchanged text gives the same state object. Never rejects.
   * @param mayLeave whether links of a folder are followed out of it.
   */
  async read(location: ConfigFileLocation, mayLeave = true): Promise<ConfigFileState> {
    const key = keyOf(location);
    const previous = this.known.get(key);
    let text: string;
    let place: string;
    try {
      place = await placeOf(location, mayLeave);
      text = await readTextFile(place, maxLengthOf(location));
    } catch (error) {
      const isRefused = isHumanError(error) && error.code === 'leaves_folder';
      const state = this.unreadable(location, error, isRefused ? undefined : previous?.state);
      this.known.set(key, { text: unreadText, state });
      this.emptied.delete(key);
      return state;
    }
    if (previous?.text === text) {
      this.emptied.delete(key);
      return previous.state;
    }
    let parsed: ParsedConfigFile;
    try {
      parsed = this.parse(text, location);
    } catch (error) {
      const state = this.unreadable(location, error, previous?.state);
      this.known.set(key, { text, state });
      return state;
    }
    const hasLostAll =
      isBlank(text) ||
      // a part of other formats may be whole
      (location.importSource !== undefined &&
        !parsed.hasSyntaxError &&
        parsed.entries.length === 0);
    if (previous && hasLostAll && (await this.isBeingWritten(key, place, previous.state))) {
      return previous.state;
    }
    this.emptied.delete(key);
    const state: ConfigFileState = {
      location,
      exists: true,
      parsed: parsed.hasSyntaxError && previous ? previous.state.parsed : parsed,
      problems: parsed.problems,
    };
    this.known.set(key, { text, state });
    return state;
  }

  /** What the file held when it was read last; `undefined` where that could not be read. */
  textOf(path: string): string | undefined {
    const known = [...this.known.values()].find(({ state }) => state.location.path === path);
    return known?.text === unreadText ? undefined : known?.text;
  }

  /** Editors and scripts that write in place empty the file first. */
  private async isBeingWritten(
    key: string,
    place: string,
    previous: ConfigFileState,
  ): Promise<boolean> {
    if (previous.parsed.entries.length === 0) {
      return false;
    }
    const now = performance.now();
    const { mtimeMs: modifiedAt } = await stat(place).catch(() => ({ mtimeMs: 0 }));
    const before = this.emptied.get(key);
    const since = before?.modifiedAt === modifiedAt ? before.since : now;
    this.emptied.set(key, { since, modifiedAt });
    return now - since < emptyFileMs;
  }

  /** Forgets every file but these. */
  retain(locations: readonly ConfigFileLocation[]): void {
    const keys = new Set(locations.map(keyOf));
    for (const key of this.known.keys()) {
      if (!keys.has(key)) {
        this.known.delete(key);
        this.emptied.delete(key);
      }
    }
  }

  private unreadable(
    location: ConfigFileLocation,
    error: unknown,
    previous: ConfigFileState | undefined,
  ): ConfigFileState {
    if (isMissing(error)) {
      return { location, exists: false, parsed: emptyFile(location), problems: [] };
    }
    const parsed = previous?.parsed ?? emptyFile(location);
    return { location, exists: true, parsed, problems: [unreadableProblem(location.path, error)] };
  }
}

/** Nothing but blanks and comments, as before anything of it was written. */
function isBlank(text: string): boolean {
  const scanner = createScanner(text.replace(/^\uFEFF/, ''), true);
  scanner.scan();
  return scanner.getTokenLength() === 0;
}

function unreadableProblem(path: string, error: unknown): ConfigProblem {
  const permissions = l10n.t('Check the permissions of the file.');
  const code = errorCode(error);
  return {
    code: 'unreadable',
    severity: 'error',
    ...(isHumanError(error)
      ? { message: error.message, remedy: error.remedy ?? permissions }
      : {
          message: code
            ? l10n.t('{0} cannot be read: {1}', path, code)
            : l10n.t('{0} cannot be read.', path),
          remedy: permissions,
        }),
  };
}

/** One file of another program may hold the servers of several pools. */
function keyOf({ path, block }: ConfigFileLocation): string {
  return JSON.stringify([path, block]);
}

/** @throws {HumanError} when a link leads out of the folder and that is not allowed. */
async function placeOf({ folder, path }: ConfigFileLocation, mayLeave: boolean): Promise<string> {
  return folder === undefined || mayLeave ? path : realPathInFolder(folder, path);
}

/** The file's text; `undefined` when there is none. Rejects when it cannot be read. */
export async function readConfigText(
  location: ConfigFileLocation,
  mayLeave = false,
): Promise<string | undefined> {
  try {
    return await readTextFile(await placeOf(location, mayLeave), maxLengthOf(location));
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

// equal to no file's text, since that cannot hold a lone surrogate
const unreadText = '\uD800';
