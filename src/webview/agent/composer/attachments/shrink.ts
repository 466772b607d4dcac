/** Makes a large picture as small as models look at it, before it is sent anywhere. */
import type { ImageHeader } from '../../../../base/pictures/imageHeader.js';

/** Pixels of one side. Models look at less. */
const maxSide = 2_000;
/** Bytes. Providers refuse pictures somewhat above. */
const maxBytes = 3_500_000;

/** The picture as it is where it is small enough, or cannot be drawn. */
export async function shrunk(file: Blob, { type, size }: ImageHeader): Promise<Blob> {
  const longest = Math.max(size?.width ?? 0, size?.height ?? 0);
  // what moves would stand still
  if ((longest <= maxSide && file.size <= maxBytes) || type === 'image/gif') {
    return file;
  }
  try {
    return await drawSmaller(file, type, Math.min(1, maxSide / longest));
  } catch {
    // the extension looks at it again
    return file;
  }
}

async function drawSmaller(file: Blob, type: string, scale: number): Promise<Blob> {
  const bitmap = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (!context) {
    return file;
  }
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const same = await blobOf(canvas, type);
  // photographs that were kept without loss
  return same.size <= maxBytes ? same : await blobOf(canvas, 'image/jpeg');
}

async function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return await new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture cannot be written'))),
      type,
      0.9,
    );
  });
}
