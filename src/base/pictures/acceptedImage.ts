/** Which pictures go with a message. The page asks before it shows one, the extension before it takes one. */
import { type ImageType, readImageHeader } from './imageHeader.js';

/** Bytes. */
export const maxImageBytes = 10 * 1024 * 1024;
/** Of one message. */
export const maxImages = 10;
/** Pixels; every one takes four bytes once the picture is decoded, whatever the file weighs. */
const maxPixels = 64_000_000;
/** Pixels of one side. */
const maxSide = 16_000;

export type ImageVerdict =
  | { readonly kind: 'image'; readonly type: ImageType }
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly reason: 'bytes' | 'pixels' | 'damaged' };

/** @param length of the whole file, where `bytes` are only its beginning */
export function judgeImage(bytes: Uint8Array, length = bytes.length): ImageVerdict {
  const found = readImageHeader(bytes);
  if (!found) {
    return { kind: 'none' };
  }
  const { type, size } = found;
  if (length > maxImageBytes) {
    return { kind: 'refused', reason: 'bytes' };
  }
  if (!size || size.width === 0 || size.height === 0) {
    return { kind: 'refused', reason: 'damaged' };
  }
  const { width, height } = size;
  return width > maxSide || height > maxSide || width * height > maxPixels
    ? { kind: 'refused', reason: 'pixels' }
    : { kind: 'image', type };
}
