import { constants } from 'node:fs';
import { lstat } from 'node:fs/promises';
import * as l10n from '@vscode/l10n';
import { asObject } from '../../base/json.js';
import type { Machine } from '../../config/ports.js';
import type { FileChangeView } from '../../protocol/fileChanges.js';
import { changeView } from '../changes/changeView.js';
import type { PiModule, PiSettings, PiTool } from '../pi/piModule.js';
import type { FileCalls } from './fileCalls.js';
import { readPath } from './filePlace.js';
import { PinnedFile, type WrittenFile } from './pinnedFile.js';
import { searches, withSearch } from './searchTools.js';

export interface FileToolsOptions {
  readonly pi: PiModule;
  readonly cwd: string;
  readonly calls: FileCalls;
  readonly settings: PiSettings;
  readonly machine: Machine;
}

/** Pi's tools for files, each call of which touches what was approved for it and nothing else. */
export function createFileTools(options: FileToolsOptions): readonly PiTool[] {
  const { pi, cwd, settings } = options;
  const autoResizeImages = settings.getImageAutoResize();
  return [
    pinned(options, (file) =>
      pi.createReadToolDefinition(cwd, {
        autoResizeImages,
        operations: {
          access: (path) => file.access(path, constants.R_OK),
          readFile: (path) => file.read(path),
          detectImageMimeType: async () => {
            await file.assertRegular();
            return await pi.detectSupportedImageMimeTypeFromFile(file.place.path);
          },
        },
      }),
    ),
    pinned(options, (file) =>
      pi.createLsToolDefinition(cwd, {
        operations: {
          exists: (path) => file.isThere(path),
          stat: (path) => file.look(path),
          readdir: (path) => file.list(path),
        },
      }),
    ),
    writing(options, (file) =>
      pi.createWriteToolDefinition(cwd, {
        operations: {
          mkdir: () => file.makeFolder(),
          writeFile: (path, content) => file.write(path, content),
        },
      }),
    ),
    writing(options, (file) =>
      pi.createEditToolDefinition(cwd, {
        operations: {
          access: (path) => file.access(path, constants.R_OK | constants.W_OK),
          readFile: (path) => file.read(path),
          writeFile: (path, content) => file.write(path, content),
        },
      }),
    ),
    ...searchTools(options),
  ];
}

function searchTools(options: FileToolsOptions): readonly PiTool[] {
  const { pi, cwd, machine } = options;
  const program = machine.environment.searchProgram?.();
  if (program === undefined) {
    return [];
  }
  const { grep, find } = searches(program);
  return [
    searching(options, () => withSearch(pi.createGrepToolDefinition(cwd), grep)),
    searching(options, () => withSearch(pi.createFindToolDefinition(cwd), find)),
  ];
}

/** `unknown`, since each definition of Pi has a type of its own, which its list of tools does not take. */
type Create = (file: PinnedFile) => unknown;

type Execute = PiTool['execute'];

/** @param run executes the tool that was made for the approved place */
function pinned(
  { calls, cwd }: FileToolsOptions,
  create: Create,
  run: (file: PinnedFile, execute: Execute, ...call: Parameters<Execute>) => ReturnType<Execute> = (
    _file,
    execute,
    ...call
  ) => execute(...call),
): PiTool {
  const toolFor = (file: PinnedFile) => create(file) as PiTool;
  const anywhere = { path: cwd, isInside: true, isLinked: false };
  return {
    ...toolFor(new PinnedFile(calls.boundary, anywhere)),
    execute: async (id, ...rest) => {
      const file = calls.takeFile(id);
      return await run(file, toolFor(file).execute, id, ...rest);
    },
  };
}

/** A tool whose results say what became of the file. */
function writing(options: FileToolsOptions, create: Create): PiTool {
  return pinned(options, create, async (file, execute, id, args, ...rest) => {
    const result = await execute(id, args, ...rest);
    const { written } = file;
    const change = written && viewOf(file.place.path, written, args);
    const details = asObject(result.details);
    return {
      ...result,
      content: [
        ...result.content,
        ...(written?.isChangedBySaving ? [{ type: 'text' as const, text: changedBySaving }] : []),
      ],
      details: change ? { ...details, change } : result.details,
    };
  });
}

/** For the model, so in English. */
const changedBySaving =
  'The editor changed the file when it was saved, as by formatting it. Read it again before you edit it.';

function viewOf(path: string, file: WrittenFile, args: unknown): FileChangeView | undefined {
  const { before, after, wasUnsaved, isChangedBySaving } = file;
  if (before === 'unread' || !Buffer.isBuffer(after)) {
    return undefined;
  }
  const given = asObject(args);
  const other = before === 'absent' ? 'create' : 'overwrite';
  const kind = given.content === undefined ? 'edit' : other;
  const text = before === 'absent' ? undefined : before.toString();
  const written = typeof given.path === 'string' ? given.path : path;
  const view = changeView(written, kind, { before: text, after: after.toString() });
  const notes = [
    ...(wasUnsaved ? [l10n.t('Your unsaved changes are saved too.')] : []),
    ...(isChangedBySaving ? [l10n.t('The editor changed it when it was saved.')] : []),
  ];
  return { ...view, notes: [...view.notes, ...notes] };
}

/** A tool that starts a program, which is given the approved place itself and follows no link below it. */
function searching(options: FileToolsOptions, create: Create): PiTool {
  return pinned(options, create, async (file, execute, id, args, ...rest) => {
    const given = asObject(args);
    const written = typeof given.path === 'string' && given.path !== '' ? given.path : '.';
    const searched = readPath(options.calls.boundary, written);
    await file.assertUnchanged(searched);
    const before = await lstat(file.place.path);
    const result = await execute(id, { ...given, path: file.place.path } as never, ...rest);
    await file.assertUnchanged(searched, before);
    return result;
  });
}
