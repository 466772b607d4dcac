import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { TextRange } from '../definition.js';
import type { ConfigPath, ParsedEntry } from '../parse/configTypes.js';
import { countedNode, nodeRange } from '../parse/jsonDocument.js';
import { nameInUse } from '../schema/field.js';
import { findField } from '../schema/fields.js';
import { cursorAuthFields, findOAuthField } from '../schema/oauthFields.js';
import {
  type LintDetail,
  type LintFinding,
  type LintRule,
  type LintSubject,
  lintRules,
} from './lintTypes.js';

export interface FindingText {
  readonly message: string;
  readonly remedy: string;
}

/** A finding at the value under `place`, relative to the entry; at the entry's name when that is not in the file. */
export function findingAt(
  subject: LintSubject,
  entry: ParsedEntry,
  rule: LintRule,
  place: ConfigPath,
  text: FindingText,
  detail?: LintDetail,
): LintFinding {
  return {
    code: rule,
    severity: lintRules[rule],
    ...text,
    range: rangeOf(subject, [...entry.path, ...place]) ?? entry.nameRange,
    server: entry.name,
    detail,
  };
}

function rangeOf(subject: LintSubject, path: ConfigPath): TextRange | undefined {
  const { root } = subject.document;
  const node = countedNode(root, path);
  return node ? nodeRange(node) : undefined;
}

/** Paths in the file of a launch's strings: `env.KEY` may be written as `environment.KEY`, `args` in `command`. */
export function writtenPath(entry: ParsedEntry, field: string): ConfigPath {
  const raw = entry.raw ?? {};
  const index = /^args\[(\d+)\]$/.exec(field)?.[1];
  if (index !== undefined) {
    return Array.isArray(raw.command) ? ['command', Number(index) + 1] : ['args', Number(index)];
  }
  if (field === 'command' && Array.isArray(raw.command)) {
    return ['command', 0];
  }
  const [, list, item] = /^(\w+)\[(\d+)\]$/.exec(field) ?? [];
  if (list !== undefined) {
    return [list, Number(item)];
  }
  const dot = field.indexOf('.');
  if (dot === -1) {
    const known = findField(field);
    return [known ? nameInUse(raw, known) : field];
  }
  const map = field.slice(0, dot);
  if (map === 'oauth') {
    return oauthPath(raw, field.slice(dot + 1));
  }
  const known = findField(map);
  return [known ? nameInUse(raw, known) : map, field.slice(dot + 1)];
}

/** The folders of `roots`, with where they stand in the list. */
export function writtenRoots({
  raw,
}: ParsedEntry): readonly { readonly text: string; readonly index: number }[] {
  const list: readonly unknown[] = Array.isArray(raw?.roots) ? raw.roots : [];
  return list.flatMap((text, index) => (typeof text === 'string' ? [{ text, index }] : []));
}

/** A client may stand in `auth` under the names of Cursor, and fields may have other names. */
function oauthPath(raw: JsonObject, field: string): ConfigPath {
  const holds = (object: string, name: string) =>
    isJsonObject(raw[object]) && Object.hasOwn(raw[object], name);
  const names = [field, ...(findOAuthField(field)?.aliases ?? [])];
  const own = names.find((name) => holds('oauth', name));
  const ofCursor = [...cursorAuthFields].find(
    ([name, ours]) => ours === field && holds('auth', name),
  );
  if (own === undefined && ofCursor) {
    return ['auth', ofCursor[0]];
  }
  return own === undefined ? ['oauth', ...field.split('.')] : ['oauth', own];
}
