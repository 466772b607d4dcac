/** Gives the structured content of a result the shape that reads best, within bounds. */
import * as l10n from '@vscode/l10n';
import { asObject, asString, isJsonObject, type JsonObject, parseJson } from '../../base/json.js';
import type { McpToolResult } from '../../mcp/mcpTypes.js';
import type { StructuredView } from '../../protocol/callWords.js';
import { kindsOf, listOf, objectOf, optional } from '../reading/readers.js';

const maxRows = 50;
const maxColumns = 12;
const maxPairs = 100;
/** Characters of one cell. */
const maxCell = 200;
const maxJson = 10_000;
const maxSentence = 500;
/** Characters of a text that is read as a table. */
const maxTableText = 200_000;

type Shape = StructuredView['shape'];
interface Shaped {
  readonly shape: Shape;
  readonly omitted?: string;
}

/** `undefined` when there is nothing to show. */
export function structuredView({
  structuredContent,
  mismatch,
  content,
  isError,
}: McpToolResult): StructuredView | undefined {
  if (structuredContent === undefined || structuredContent === null) {
    return isError ? undefined : tableOfText(content);
  }
  return {
    ...shapeOf(structuredContent),
    mismatch: mismatch?.slice(0, maxSentence),
  };
}

/** Many servers send their rows as text alone, which nobody reads. */
function tableOfText(content: McpToolResult['content']): StructuredView | undefined {
  const [only, ...more] = content;
  const text = only?.type === 'text' && more.length === 0 ? only.text : undefined;
  if (typeof text !== 'string' || text.length > maxTableText || !/^\s{0,9}[[{]/.test(text)) {
    return undefined;
  }
  const rows = rowsOf(parseJson(text));
  return rows && rows.length > 1 ? table(rows) : undefined;
}

/** Reads what {@link structuredView} made, after it was stored with a conversation. */
export const parseStructuredView = objectOf<StructuredView>({
  shape: kindsOf<Shape, 'kind'>('kind', {
    table: { columns: listOf(asString), rows: listOf(listOf(asString)) },
    pairs: {
      pairs: listOf(objectOf<{ key: string; value: string }>({ key: asString, value: asString })),
    },
    json: { text: asString },
  }),
  omitted: optional(asString),
  mismatch: optional(asString),
});

function shapeOf(value: unknown): Shaped {
  const rows = rowsOf(value);
  if (rows) {
    return table(rows);
  }
  if (isJsonObject(value) && Object.keys(value).length > 0 && Object.values(value).every(isFlat)) {
    return pairs(value);
  }
  return json(value);
}

/** Flat objects in an array, also as the only field of an object, which output schemas ask for. */
function rowsOf(value: unknown): readonly JsonObject[] | undefined {
  const fields = Object.values(asObject(value));
  const list = fields.length === 1 ? fields[0] : value;
  const isTable =
    Array.isArray(list) &&
    list.length > 0 &&
    list.every((row) => isJsonObject(row) && Object.values(row).every(isScalar));
  return isTable ? (list as readonly JsonObject[]) : undefined;
}

function table(rows: readonly JsonObject[]): Shaped {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const keys = all.slice(0, maxColumns);
  const shape: Shape = {
    kind: 'table',
    columns: keys.map((key) => key.slice(0, maxCell)),
    rows: rows.slice(0, maxRows).map((row) => keys.map((key) => cell(row[key]))),
  };
  const isCut = rows.length > maxRows || all.length > maxColumns;
  return {
    shape,
    omitted: isCut
      ? l10n.t(
          '{0} of {1} fields are shown.',
          shape.rows.length * keys.length,
          rows.length * all.length,
        )
      : undefined,
  };
}

function pairs(value: JsonObject): Shaped {
  const all = Object.entries(value);
  const shown = all.slice(0, maxPairs);
  return {
    shape: {
      kind: 'pairs',
      pairs: shown.map(([key, item]) => ({ key: key.slice(0, maxCell), value: cell(item) })),
    },
    omitted:
      all.length > shown.length
        ? l10n.t('{0} of {1} fields are shown.', shown.length, all.length)
        : undefined,
  };
}

function json(value: unknown): Shaped {
  const text = JSON.stringify(value, undefined, 2);
  return text.length <= maxJson
    ? { shape: { kind: 'json', text } }
    : {
        shape: { kind: 'json', text: `${text.slice(0, maxJson)}…` },
        omitted: l10n.t('{0} of {1} characters are shown.', maxJson, text.length),
      };
}

function cell(value: unknown): string {
  const text =
    value === undefined || value === null
      ? ''
      : Array.isArray(value)
        ? value.map(String).join(', ')
        : String(value);
  return text.length > maxCell ? `${text.slice(0, maxCell)}…` : text;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== 'object';
}

function isFlat(value: unknown): boolean {
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}
