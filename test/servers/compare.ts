/** What is different between two views of one server. */
import { isJsonObject, type JsonObject, stableStringify } from '../../src/base/json.js';
import type { SentTool } from './ownSide.js';
import type { Action, Lists, Outcome } from './side.js';

export interface Difference {
  /** `kind: name`, by which it can be explained. */
  readonly what: string;
  readonly raw: string;
  readonly own: string;
}

/** Of each list: what an item is known by, and what must be as the server gave it. */
const identities: {
  readonly [K in keyof Lists]: { readonly key: string; readonly fields: readonly string[] };
} = {
  tools: {
    key: 'name',
    fields: ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'],
  },
  resources: { key: 'uri', fields: ['name', 'title', 'description', 'mimeType', 'size'] },
  resourceTemplates: { key: 'uriTemplate', fields: ['name', 'title', 'description', 'mimeType'] },
  prompts: { key: 'name', fields: ['title', 'description', 'arguments'] },
};

export function compareLists(
  raw: Lists,
  own: Lists,
  plain: (text: string) => string,
): readonly Difference[] {
  return Object.entries(identities).flatMap(([list, { key, fields }]) => {
    const given: readonly JsonObject[] = JSON.parse(
      plain(JSON.stringify(raw[list as keyof Lists])),
    );
    const kept: readonly JsonObject[] = JSON.parse(plain(JSON.stringify(own[list as keyof Lists])));
    const names = (items: readonly JsonObject[]) => items.map((item) => String(item[key]));
    const order = different(`${list}: names`, names(given), names(kept));
    const pairs = given.flatMap((item) => {
      const twin = kept.find((one) => one[key] === item[key]);
      return twin ? [{ item, twin }] : [];
    });
    return [
      ...order,
      ...pairs.flatMap(({ item, twin }) =>
        fields.flatMap((field) =>
          different(`${list}: ${field} of ${item[key]}`, known(item, field), known(twin, field)),
        ),
      ),
    ];
  });
}

/** What the specification knows; servers add their own, which means nothing to others. */
const parts: Readonly<Record<string, readonly string[]>> = {
  annotations: ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'],
  arguments: ['name', 'title', 'description', 'required'],
};

function known(item: JsonObject, field: string): unknown {
  const names = parts[field];
  const pick = (value: unknown) =>
    names && isJsonObject(value)
      ? Object.fromEntries(Object.entries(value).filter(([key]) => names.includes(key)))
      : value;
  const value = item[field];
  return Array.isArray(value) ? value.map(pick) : pick(value);
}

/** Every tool has one name that all providers accept, and costs what it is said to. */
export function compareNames({ tools }: Lists, sent: readonly SentTool[]): readonly Difference[] {
  const names = sent.map(({ name }) => name);
  const unusable = names.filter((name) => !/^[A-Za-z0-9_]{1,64}$/.test(name));
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  const offered = new Set(sent.map(({ tool }) => tool));
  const missing = tools.filter((tool) => !offered.has(String(tool.name))).filter(isForModels);
  return [
    ...different('names: not usable', [], unusable),
    ...different('names: twice', [], twice),
    ...different(
      'names: not offered',
      [],
      missing.map(({ name }) => name),
    ),
  ];
}

/** Some are for apps alone. */
function isForModels({ _meta }: JsonObject): boolean {
  const ui = isJsonObject(_meta) && isJsonObject(_meta.ui) ? _meta.ui : {};
  return !Array.isArray(ui.visibility) || ui.visibility.includes('model');
}

/** Whether two clients got the same, as far as an answer is the same each time. */
export function isSame(raw: Outcome, own: Outcome, plain: (text: string) => string): boolean {
  if (raw.kind === 'error' && own.kind === 'error') {
    const message = steady(plain(raw.message.replace(/^(?:MCP error -?\d+: )+/, '')));
    // the product says who reported it, and what to do
    return steady(plain(own.message)).includes(message);
  }
  const text = (outcome: Outcome) => steady(plain(stableStringify(defined(outcome))));
  return text(raw) === text(own);
}

/** The same of answers that are others each time: which parts they have, and of which kind. */
export function hasSameShape(raw: Outcome, own: Outcome): boolean {
  return stableStringify(shapeOf(defined(raw))) === stableStringify(shapeOf(defined(own)));
}

export function differenceOf({ kind, name }: Action, raw: Outcome, own: Outcome): Difference {
  return { what: `${kind}: ${name}`, raw: stableStringify(raw), own: stableStringify(own) };
}

/** What is undefined is as good as left out. */
function defined(outcome: Outcome): unknown {
  return JSON.parse(JSON.stringify(outcome));
}

function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return [...new Set(value.map((item) => stableStringify(shapeOf(item))))].sort();
  }
  return isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item)]))
    : typeof value;
}

/** Without what is another one each time: times, counts, identifiers. */
function steady(text: string): string {
  return text.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+(?:\.\d+)?/gi, '#');
}

function different(what: string, raw: unknown, own: unknown): readonly Difference[] {
  const [given, kept] = [stableStringify(raw ?? null), stableStringify(own ?? null)];
  return given === kept ? [] : [{ what, raw: given, own: kept }];
}
