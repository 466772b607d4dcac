import type { Difference } from './compare.js';

export interface ServerRow {
  readonly name: string;
  readonly tools: number;
  /** Requests that both sides made beside lists. */
  readonly actions: number;
  /** Until the product had connected and read the lists. */
  readonly connectMs: number;
  /** Of all tools, with the server's schemas and with those that a model gets. */
  readonly givenTokens: number;
  readonly sentTokens: number;
  /** Processes that the SDK left behind. */
  readonly left: number;
  readonly explained: readonly (Difference & { readonly reason?: string | undefined })[];
  readonly unexplained: readonly Difference[];
}

/** Characters of an excerpt. */
const longest = 300;
/** Of them, what stands before the first difference. */
const lead = 60;

/** In Markdown. */
export function reportOf(rows: readonly ServerRow[]): string {
  const total = (of: (row: ServerRow) => number) => rows.reduce((sum, row) => sum + of(row), 0);
  const cells = (row: ServerRow) => [
    row.name,
    row.tools,
    row.actions,
    row.connectMs,
    row.givenTokens,
    row.sentTokens,
    row.left,
    row.explained.length,
    row.unexplained.length,
  ];
  const sums = `${rows.length} servers, ${total(({ tools }) => tools)} tools, ${total(({ actions }) => actions)} requests, ${total(({ explained }) => explained.length)} explained differences, ${total(({ unexplained }) => unexplained.length)} unexplained`;
  return [
    '# Public servers beside the official SDK',
    '',
    line([
      'server',
      'tools',
      'requests',
      'connected (ms)',
      'tokens as given',
      'tokens as sent',
      'left by the SDK',
      'explained',
      'unexplained',
    ]),
    line(Array.from({ length: 9 }, () => '---')),
    ...rows.map((row) => line(cells(row))),
    '',
    `${sums}.`,
    ...section(
      'Explained',
      rows.flatMap(({ name, explained }) =>
        explained.map(({ what, reason = '' }) => [name, what, reason]),
      ),
    ),
    ...section(
      'Unexplained',
      rows.flatMap(({ name, unexplained }) =>
        unexplained.map(({ what, raw, own }) => [name, what, ...excerpts(raw, own)]),
      ),
    ),
    '',
  ].join('\n');
}

/** From shortly before the first difference on. */
function excerpts(raw: string, own: string): readonly [string, string] {
  let same = 0;
  while (same < raw.length && raw[same] === own[same]) {
    same++;
  }
  const from = Math.max(0, same - lead);
  return [raw.slice(from), own.slice(from)];
}

function section(title: string, table: readonly (readonly string[])[]): readonly string[] {
  const [first] = table;
  const headings = ['server', 'what', ...(first?.length === 4 ? ['SDK', 'here'] : ['reason'])];
  return first
    ? ['', `## ${title}`, '', line(headings), line(headings.map(() => '---')), ...table.map(line)]
    : [];
}

function line(cells: readonly (string | number)[]): string {
  const plain = cells.map((cell) =>
    String(cell).slice(0, longest).replace(/\s+/g, ' ').replaceAll('|', '\\|'),
  );
  return `| ${plain.join(' | ')} |`;
}
