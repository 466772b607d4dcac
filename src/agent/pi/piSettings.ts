/**
 * The user's and the folder's Pi settings, read-only. Package and extension lists are hidden, as Pi would install from
 * the network what is missing; `userExtensions.ts` finds what is there. Of a folder's file only
 * keys are taken that a stranger may set: none that names a command, a path, an address, a model, or what costs money.
 */
import { join } from 'node:path';
import { asObject, defined, type JsonObject, parseJsonObject } from '../../base/json.js';
import { FolderFiles } from './folderFiles.js';
import type { PiModule, PiSettings } from './piModule.js';

export interface PiSettingsPlaces {
  readonly agentDir: string;
  readonly cwd: string;
  /** The folder's file is not even opened when it is false. */
  readonly isFolderTrusted: boolean;
}

export interface ReadPiSettings {
  readonly settings: PiSettings;
  /** The same without anything of the folder, for what looks for files by itself. */
  readonly userSettings: PiSettings;
  /** Those of the user with packages and extensions, for finding them; a program to install them is not named. */
  readonly packageSettings: PiSettings;
  /** How long the user lets Pi wait before a request is sent again; `settings` say: not at all. */
  readonly retry: ReturnType<PiSettings['getRetrySettings']>;
  /** Lets `settings` be what the user's file says now. */
  readonly reread: () => Promise<void>;
  /** Keys of the folder's file that were not taken, sorted. */
  readonly refusedKeys: readonly string[];
  /** Why a file was not read at all, one sentence each. */
  readonly refusedFiles: readonly string[];
}

export async function readPiSettings(
  pi: PiModule,
  { agentDir, cwd, isFolderTrusted }: PiSettingsPlaces,
): Promise<ReadPiSettings> {
  const files = new FolderFiles();
  const readUser = async () =>
    settingsOf(await files.readOwn(join(agentDir, 'settings.json'))) ?? {};
  const user = await readUser();
  const folderText = isFolderTrusted
    ? await files.read(cwd, join(cwd, '.pi', 'settings.json'))
    : undefined;
  const folder = selectFolderSettings(settingsOf(folderText) ?? {});
  const texts = { global: userText(user), project: JSON.stringify(folder.taken) };
  const create = (projectTrusted: boolean, shown = texts) =>
    pi.SettingsManager.fromStorage(
      {
        withLock: (scope, read) => {
          read(shown[scope]);
        },
      },
      { projectTrusted },
    );
  // Pi would ask npm where it keeps global packages, by starting it
  const packages = { ...user, npmCommand: ['pi-mcp-starts-no-npm'] };
  const settings = create(isFolderTrusted);
  return {
    settings,
    userSettings: create(false),
    packageSettings: create(false, { global: JSON.stringify(packages), project: '{}' }),
    retry: create(false, { global: JSON.stringify(user), project: '{}' }).getRetrySettings(),
    reread: async () => {
      const text = userText(await readUser());
      if (text !== texts.global) {
        texts.global = text;
        await settings.reload();
      }
    },
    refusedKeys: folder.refused,
    refusedFiles: files.refused,
  };
}

function userText(user: JsonObject): string {
  const retry = asObject(user.retry);
  return JSON.stringify({
    ...user,
    packages: [],
    extensions: [],
    // the session waits by itself, see `retryWaits.ts`
    retry: { ...retry, baseDelayMs: 0 },
  });
}

type PiSettingsKey = keyof ReturnType<PiSettings['getGlobalSettings']>;

/** `terminal`: concerns Pi's own terminal alone, so nothing is lost without it. */
type FolderRule = ((value: unknown) => unknown) | 'terminal';

/**
 * What is not here is refused, also of a later Pi: whom the conversation is sent to and what that costs, what is run,
 * loaded or written, and where, and what guards the user.
 */
const folderRules: Readonly<Partial<Record<PiSettingsKey, FolderRule>>> = {
  steeringMode: queueMode,
  followUpMode: queueMode,
  images: imageSettings,
  lastChangelogVersion: 'terminal',
  theme: 'terminal',
  hideThinkingBlock: 'terminal',
  showCacheMissNotices: 'terminal',
  quietStartup: 'terminal',
  collapseChangelog: 'terminal',
  enableSkillCommands: 'terminal',
  terminal: 'terminal',
  doubleEscapeAction: 'terminal',
  treeFilterMode: 'terminal',
  editorPaddingX: 'terminal',
  outputPad: 'terminal',
  autocompleteMaxVisible: 'terminal',
  showHardwareCursor: 'terminal',
  markdown: 'terminal',
  tuiMode: 'terminal',
  fullscreenExitOutput: 'terminal',
  fullscreenScrollbar: 'terminal',
  fullscreenCopyOnSelect: 'terminal',
};

/** What is taken of a folder's settings; a key that is not listed, or whose value is not as expected, is refused. */
export function selectFolderSettings(settings: JsonObject): {
  readonly taken: JsonObject;
  readonly refused: readonly string[];
} {
  const taken: Record<string, unknown> = {};
  const refused: string[] = [];
  for (const [key, value] of Object.entries(settings)) {
    const rule = Object.hasOwn(folderRules, key) ? folderRules[key as PiSettingsKey] : undefined;
    const selected = typeof rule === 'function' ? rule(value) : undefined;
    if (selected !== undefined) {
      taken[key] = selected;
    } else if (rule !== 'terminal') {
      refused.push(key);
    }
  }
  return { taken, refused: refused.sort() };
}

function queueMode(value: unknown): unknown {
  return value === 'all' || value === 'one-at-a-time' ? value : undefined;
}

function imageSettings(value: unknown): unknown {
  const { autoResize, blockImages } = asObject(value);
  const selected = defined({
    autoResize: typeof autoResize === 'boolean' ? autoResize : undefined,
    // a folder may keep images from the model, not undo that the user does
    blockImages: blockImages === true || undefined,
  });
  return Object.keys(selected).length > 0 ? selected : undefined;
}

/** Most users have no such file; Pi would refuse a damaged one as well. */
function settingsOf(text: string | undefined): JsonObject | undefined {
  return parseJsonObject(text ?? '');
}
