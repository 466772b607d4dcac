/** Rows as one window keeps them for the next, which shows them until it knows its own. For plain Node. */
import { isJsonObject } from '../../base/json.js';

/** Says what something is called, and nothing that may be otherwise by now. */
export interface KeptRow {
  readonly kind: 'kept';
  /** Of the row that takes its place. */
  readonly id: string;
  readonly label: string;
  readonly icon: string;
  readonly expansion: 'none' | 'collapsed' | 'expanded';
  readonly rows: readonly KeptRow[];
}

const expansions: readonly unknown[] = ['none', 'collapsed', 'expanded'];

/** What a window kept, whichever version of us it had. @returns nothing where any of it is something else */
export function readKeptRows(kept: unknown): readonly KeptRow[] {
  return Array.isArray(kept) && kept.every(isKeptRow) ? kept : [];
}

function isKeptRow(row: unknown): row is KeptRow {
  return (
    isJsonObject(row) &&
    row.kind === 'kept' &&
    [row.id, row.label, row.icon].every((text) => typeof text === 'string') &&
    expansions.includes(row.expansion) &&
    Array.isArray(row.rows) &&
    row.rows.every(isKeptRow)
  );
}
