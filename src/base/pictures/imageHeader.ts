/** What the first bytes of a file say of the picture in it, so that its size is known before anything decodes it. */

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

export interface ImageHeader {
  readonly type: ImageType;
  /** In pixels; `undefined`: the header does not say. */
  readonly size?: { readonly width: number; readonly height: number };
}

/** Bytes of a picture from its beginning that are enough to know it. A JPEG may have long notes before its size. */
export const headerBytes = 512 * 1024;

/** By what the bytes are, whatever the name says. `undefined`: no picture that models are sent. */
export function readImageHeader(bytes: Uint8Array): ImageHeader | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) {
    const isWhole = bytes.length >= 24 && ascii(bytes, 12, 4) === 'IHDR';
    return header('image/png', isWhole, () => [view.getUint32(16), view.getUint32(20)]);
  }
  if (['GIF87a', 'GIF89a'].includes(ascii(bytes, 0, 6))) {
    return header('image/gif', bytes.length >= 10, () => [
      view.getUint16(6, true),
      view.getUint16(8, true),
    ]);
  }
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 4) === 'WEBP') {
    const size = webpSize(bytes, view);
    return { type: 'image/webp', size };
  }
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) {
    const size = jpegSize(bytes, view);
    return { type: 'image/jpeg', size };
  }
  return undefined;
}

/** @param data base64, of somebody who may call it another type than it has */
export function readImage(
  data: unknown,
): { readonly data: string; readonly mimeType: ImageType } | undefined {
  if (typeof data !== 'string') {
    return undefined;
  }
  try {
    const start = Uint8Array.from(atob(data.slice(0, 64)), (byte) => byte.charCodeAt(0));
    const mimeType = readImageHeader(start)?.type;
    return mimeType && { data, mimeType };
  } catch {
    // no base64
    return undefined;
  }
}

function header(
  type: ImageType,
  isWhole: boolean,
  read: () => readonly [width: number, height: number],
): ImageHeader {
  if (!isWhole) {
    return { type };
  }
  const [width, height] = read();
  return { type, size: { width, height } };
}

function webpSize(bytes: Uint8Array, view: DataView): ImageHeader['size'] {
  if (bytes.length < 30) {
    return undefined;
  }
  switch (ascii(bytes, 12, 4)) {
    case 'VP8 ':
      return {
        width: view.getUint16(26, true) & 0x3fff,
        height: view.getUint16(28, true) & 0x3fff,
      };
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 };
    default:
      return undefined;
  }
}

/** Goes from mark to mark up to the one that holds the size. */
function jpegSize(bytes: Uint8Array, view: DataView): ImageHeader['size'] {
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) {
      return undefined;
    }
    const mark = bytes[at + 1] ?? 0;
    if (mark === 0xff) {
      at += 1;
      continue;
    }
    const holdsSize = mark >= 0xc0 && mark <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(mark);
    if (holdsSize) {
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) };
    }
    const length = view.getUint16(at + 2);
    if (length < 2) {
      return undefined;
    }
    at += 2 + length;
  }
  return undefined;
}

function uint24(view: DataView, at: number): number {
  return view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function ascii(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
