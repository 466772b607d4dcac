/** Small files of JSON that are good to have, and nothing without them is wrong. */
import { rm } from 'node:fs/promises';
import { readTextFile } from '../boundedFile.js';
import { writeFileAtomic } from './storedFile.js';

/** `undefined`: there is none, or it is damaged. Never rejects. @param maxBytes default: as of any file */
export async function readJsonFile(path: string, maxBytes?: number): Promise<unknown> {
  try {
    return JSON.parse(await readTextFile(path, maxBytes));
  } catch {
    // nothing was written, or only a part of it
    return undefined;
  }
}

/** @param value `undefined`: the file goes */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await (value === undefined
    ? rm(path, { force: true })
    : writeFileAtomic(path, JSON.stringify(value)));
}
