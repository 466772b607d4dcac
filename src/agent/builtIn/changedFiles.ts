/** Files that were changed and are read and written again when changes are reviewed and undone. */
import * as l10n from '@vscode/l10n';
import { errorCode } from '../../base/errors.js';
import { readBinaryFile } from '../../platform/boundedFile.js';
import { maxBlobBytes } from '../changes/blobs.js';
import type { EditedFiles, OpenEditors } from '../changes/ports.js';
import type { Content } from '../changes/version.js';
import { type FileBoundary, locate } from './filePlace.js';
import { PinnedFile } from './pinnedFile.js';

/** A path that leads elsewhere by now is neither read nor written. */
export class ChangedFiles implements EditedFiles {
  constructor(
    private readonly boundary: FileBoundary,
    private readonly editors: OpenEditors | undefined,
  ) {}

  async read(path: string): Promise<Content> {
    try {
      if ((await locate(this.boundary, path)).path !== path) {
        return 'unread';
      }
      const unsaved = this.editors?.unsavedText(path);
      return unsaved === undefined
        ? await readBinaryFile(path, maxBlobBytes)
        : Buffer.from(unsaved);
    } catch (error) {
      return ['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '') ? 'absent' : 'unread';
    }
  }

  isUnsaved(path: string): boolean {
    return this.editors?.unsavedText(path) !== undefined;
  }

  async write(path: string, content: Buffer | 'absent', expected: Content): Promise<void> {
    const place = { path, isInside: true, isLinked: false };
    const file = new PinnedFile(this.boundary, place, { editors: this.editors });
    if (content === 'absent') {
      await file.remove(path, expected);
    } else {
      await file.makeFolder();
      await file.write(path, content, expected).catch((error) => {
        const isLocked = ['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '');
        throw isLocked ? new Error(l10n.t('its file is read-only.'), { cause: error }) : error;
      });
    }
  }
}
