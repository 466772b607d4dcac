/** What a file held at some moment. */

/** SHA-256 of the bytes in hexadecimal, or why there is none: no file, or one that is too large or not readable. */
export type Version = string;
export const absent: Version = 'absent';
export const unread: Version = 'unread';

/** Bytes of a file; `absent`: there is none, `unread`: they are not known. */
export type Content = Buffer | 'absent' | 'unread';

export function sameContent(a: Content, b: Content): boolean {
  return Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : a === b && a !== 'unread';
}

/** Bytes; to go through the lines of larger ones would stop the extension host. */
export const maxTextBytes = 5 * 1024 * 1024;

/** `undefined` for bytes that are no text, as to read and write them as one would change them, and for too many. */
export function textOfBytes(content: Content): string | undefined {
  if (!Buffer.isBuffer(content) || content.byteLength > maxTextBytes) {
    return undefined;
  }
  const text = content.toString('utf8');
  return Buffer.from(text).equals(content) && !text.includes('\0') ? text : undefined;
}
