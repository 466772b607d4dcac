/** Turns files into what goes with a message: pictures and texts, by what they hold and not by what they are called. */
import { lstat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../../base/errors.js';
import { judgeImage } from '../../../base/pictures/acceptedImage.js';
import type { WorkspaceFolder } from '../../../config/definition.js';
import { stripByteOrderMark } from '../../../config/parse/jsonDocument.js';
import { readBinaryFile } from '../../../platform/boundedFile.js';
import { realPathInFolder } from '../../../platform/folderPath.js';
import type { OpenEditors } from '../../changes/ports.js';
import { lastPart } from '../../transcript/attachmentWords.js';
import type { AttachedFile, AttachedImage, AttachedText } from './attachment.js';

/** Bytes; of an image and of a text. */
const maxFileBytes = 10 * 1024 * 1024;
/** Bytes in which a text has no zero. */
const textStart = 8_000;

export interface FileReader {
  readonly folders: () => readonly WorkspaceFolder[];
  /** Default: none is open. */
  readonly editors?: Pick<OpenEditors, 'unsavedText'> | undefined;
}

/**
 * What a file holds now, with what an editor has not saved.
 * @throws {HumanError} when it cannot be sent, or leads out of its folder by now
 */
export async function readAttachedFile(
  file: AttachedFile,
  { folders, editors }: FileReader,
): Promise<AttachedText | AttachedImage> {
  const path = await pathOf(file, folders());
  const unsaved = editors?.unsavedText(path);
  if (unsaved !== undefined) {
    return { kind: 'text', what: 'file', name: file.name, text: unsaved };
  }
  let bytes: Buffer;
  try {
    bytes = await readBinaryFile(path, maxFileBytes, async (opened) => {
      // a link that came into its way meanwhile
      const { dev, ino } = await lstat(await pathOf(file, folders()));
      if (file.folder !== undefined && (dev !== opened.dev || ino !== opened.ino)) {
        throw notReadable(file.name);
      }
    });
  } catch (error) {
    throw error instanceof HumanError ? error : notReadable(file.name, error);
  }
  return attachmentOf(file.name, bytes);
}

async function pathOf(
  { folder, path, name }: AttachedFile,
  folders: readonly WorkspaceFolder[],
): Promise<string> {
  if (folder === undefined) {
    return path;
  }
  const fsPath = folders.find(({ uri }) => uri === folder)?.fsPath;
  if (fsPath === undefined || isAbsolute(path)) {
    throw notReadable(name);
  }
  return await realPathInFolder(fsPath, resolve(fsPath, path));
}

/** @throws {HumanError} for what is neither a text nor a picture that can be sent */
export function attachmentOf(name: string, bytes: Uint8Array): AttachedText | AttachedImage {
  const verdict = judgeImage(bytes);
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (verdict.kind) {
    case 'image':
      return { kind: 'image', name, mimeType: verdict.type, data: data.toString('base64') };
    case 'refused':
      throw imageRefused(name, verdict.reason);
    case 'none':
      if (data.byteLength > maxFileBytes) {
        throw refusal('file_too_large', l10n.t('{0} is larger than {1}.', lastPart(name), '10 MB'));
      }
      if (data.subarray(0, textStart).includes(0)) {
        throw refusal(
          'attachment_type',
          l10n.t('{0} is neither text nor a PNG, JPEG, GIF or WebP image.', lastPart(name)),
        );
      }
      return { kind: 'text', what: 'file', name, text: stripByteOrderMark(data.toString('utf8')) };
  }
}

function imageRefused(name: string, reason: 'bytes' | 'pixels' | 'damaged'): HumanError {
  const file = lastPart(name);
  switch (reason) {
    case 'bytes':
      return refusal('file_too_large', l10n.t('{0} is larger than {1}.', file, '10 MB'));
    case 'pixels':
      return refusal('attachment_type', l10n.t('{0} has too many pixels.', file));
    case 'damaged':
      return refusal('attachment_type', l10n.t('{0} cannot be read.', file));
  }
}

function notReadable(name: string, cause?: unknown): HumanError {
  return new HumanError('attachment_unreadable', l10n.t('{0} cannot be read.', lastPart(name)), {
    remedy: l10n.t('Remove it from the message, or attach it again.'),
    cause,
  });
}

function refusal(code: 'file_too_large' | 'attachment_type', text: string): HumanError {
  return new HumanError(code, text);
}
