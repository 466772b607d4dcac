import type { JsonObject } from './json.js';

/** Target of a reference inside the document `root`; `undefined` for every other. */
export function resolvePointer(root: unknown, reference: string): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) {
    return undefined;
  }
  let target: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const key = unescapePointer(part);
    const isOwn = typeof target === 'object' && target !== null && Object.hasOwn(target, key);
    target = isOwn ? (target as JsonObject)[key] : undefined;
  }
  return target;
}

export function unescapePointer(part: string): string {
  let decoded = part;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    // not percent-encoded
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}
