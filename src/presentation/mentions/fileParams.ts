/** Files as a page sends them. */
import { isJsonObject } from '../../base/json.js';
import type { PageFile } from '../../protocol/attachments.js';
import { objectParam, stringParam } from '../params.js';

const maxFiles = 20;
/** Characters of Base64: somewhat more than the largest file that is taken, so that its refusal has its name. */
const maxData = 15_000_000;
/** Characters. */
const maxName = 300;

/** What is beyond the bounds is cut off, and refused for that later. @throws when it is no list of files */
export function filesParam(params: unknown, field: string): readonly PageFile[] {
  const value = objectParam(params)[field];
  if (!Array.isArray(value) || !value.every(isJsonObject)) {
    throw new Error(`Invalid message: "${field}" must be a list of files`);
  }
  return value.slice(0, maxFiles).map((file) => ({
    name: stringParam(file, 'name').replaceAll(/[\\/]/g, '_').slice(0, maxName),
    data: stringParam(file, 'data').slice(0, maxData),
  }));
}
