/** Pi's tools for files: free to read inside of the folder, asked for outside, and bound to the file that was approved. */
import { lstat } from 'node:fs/promises';
import { errorMessage } from '../../base/errors.js';
import { isJsonObject } from '../../base/json.js';
import { isThere } from '../../platform/folderPath.js';
import type { RuleSubject } from '../../protocol/tools/approvalRules.js';
import { maxBlobBytes } from '../changes/blobs.js';
import type { OpenEditors } from '../changes/ports.js';
import type { SessionChanges } from '../changes/sessionChanges.js';
import { type CallSubject, Pins } from '../policy/callSubject.js';
import { type PlacedWrite, startedByWrite } from '../policy/guardedPlaces.js';
import {
  type ApprovedPlace,
  type FileBoundary,
  type FilePlace,
  locate,
  readPath,
} from './filePlace.js';
import type { PreviewCall } from './filePreview.js';
import { PinnedFile } from './pinnedFile.js';

const readers = ['read', 'ls', 'grep', 'find'];
const writers = ['edit', 'write'];
/** One answer means edits and writes alike. */
const editsKey = 'edits of files';

export interface FileCallsOptions {
  readonly folder: string;
  /** False in Restricted Mode, where no tool leaves the folder. */
  readonly isTrusted: boolean;
  /** Default: calls are described without what they would write. */
  readonly preview?: PreviewCall;
  readonly editors?: OpenEditors | undefined;
  /** Default: nothing is recorded. */
  readonly changes?: SessionChanges;
}

export class FileCalls {
  readonly pins = new Pins<ApprovedPlace>();
  readonly boundary: FileBoundary;
  constructor(private readonly options: FileCallsOptions) {
    const { folder, isTrusted } = options;
    this.boundary = { folder, mayLookOutside: isTrusted };
  }

  /** `undefined`: the tool is none for files. */
  async describe(tool: string, args: unknown): Promise<CallSubject | undefined> {
    const isReader = readers.includes(tool);
    if (!isReader && !writers.includes(tool)) {
      return undefined;
    }
    const named = isJsonObject(args) && typeof args.path === 'string' ? args.path : '.';
    let written: string;
    let place: FilePlace;
    try {
      written = readPath(this.boundary, named || '.');
      place = await this.placeOf(tool, written);
    } catch (error) {
      return { identity: { key: tool, claims: [] }, refusal: errorMessage(error) };
    }
    const { path, isInside, isLinked } = place;
    if (!isInside && !this.options.isTrusted) {
      return { identity: { key: tool, claims: [] }, refusal: restricted(tool, path) };
    }
    if (!isReader && (await isTooLarge(path))) {
      return { identity: { key: tool, claims: [] }, refusal: tooLarge(path) };
    }
    const preview = isReader ? undefined : await this.options.preview?.(tool, args, place);
    const starts = isReader
      ? undefined
      : await startedByWrite(this.options.folder, { written, path, texts: preview?.texts });
    const isElsewhere = !isInside || (!isReader && isLinked);
    const isPlain = !isElsewhere && !starts;
    return {
      identity: {
        // beyond the plain cases, "for this session" allows this tool at this place only
        key: isPlain
          ? isReader
            ? tool
            : editsKey
          : JSON.stringify([tool, path, ...(starts ? [starts] : [])]),
        claims: [],
        allowedBy: isPlain && isReader ? ({ kind: 'reads' } as const) : undefined,
        subject: isPlain ? plainSubject(isReader) : ({ kind: 'call', tool, text: path } as const),
        starts,
        effect: isElsewhere
          ? ({ kind: isInside ? 'link' : 'outside', text: path } as const)
          : undefined,
        isReader,
        isEdit: isPlain && !isReader && !this.isUnsaved(path),
        preview,
      },
      pin: (toolCallId) => this.pins.set(toolCallId, { ...place, starts }),
    };
  }

  private isUnsaved(path: string): boolean {
    return this.options.editors?.unsavedText(path) !== undefined;
  }

  /** What the call with this id may touch. @throws when it was not approved */
  takeFile(toolCallId: string): PinnedFile {
    const { editors, changes } = this.options;
    const journal = changes?.journalOf(toolCallId);
    const place = this.pins.take(toolCallId);
    const mayWrite = async (texts: PlacedWrite['texts']) => {
      const { path } = place;
      const starts = await startedByWrite(this.options.folder, { written: path, path, texts });
      // known by another name, it was said
      return starts === undefined || place.starts !== undefined;
    };
    return new PinnedFile(this.boundary, place, { editors, journal, mayWrite });
  }

  /** Reading also finds names that macOS spells otherwise, as Pi's tool does. */
  private async placeOf(tool: string, path: string): Promise<FilePlace> {
    const place = await locate(this.boundary, path);
    const mayLook = place.isInside || this.boundary.mayLookOutside;
    if (tool !== 'read' || !mayLook || (await isThere(place.path))) {
      return place;
    }
    const narrow = path.replace(/ (AM|PM)\./gi, '\u202F$1.');
    const decomposed = path.normalize('NFD');
    const curly = (text: string) => text.replaceAll("'", '\u2019');
    for (const other of [narrow, decomposed, curly(path), curly(decomposed)]) {
      const otherPlace = other === path ? undefined : await locate(this.boundary, other);
      if (otherPlace && (await isThere(otherPlace.path))) {
        return otherPlace;
      }
    }
    return place;
  }
}

function plainSubject(isReader: boolean): RuleSubject | undefined {
  return isReader ? undefined : { kind: 'builtIn', tool: 'edit' };
}

function restricted(tool: string, path: string): string {
  return `The workspace is in Restricted Mode, in which "${tool}" never leaves the folder, and ${path} is outside of it. The user can trust the workspace to be asked instead.`;
}

function tooLarge(path: string): string {
  const megabytes = maxBlobBytes / 1024 / 1024;
  return `${path} is larger than ${megabytes} MB, so that what it holds could not be kept for an undo. It was left as it is.`;
}

async function isTooLarge(path: string): Promise<boolean> {
  return await lstat(path).then(
    (stats) => stats.isFile() && stats.size > maxBlobBytes,
    () => false,
  );
}
