/** Titles of the tests of a file, as its code has them. */
import { existsSync, readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

const separator = ' › ';

export interface TestFile {
  /** Of each test, behind those of its `describe`, `a › b › title`; of a table, as it is written: `reads %s`. */
  readonly titles: readonly string[];
  /** Every string of its code, names of the cases of tables among them. */
  readonly texts: ReadonlySet<string>;
}

export function parseTests(code: string): TestFile {
  const titles: string[] = [];
  const texts = new Set<string>();
  visit(parseAst(code, { lang: 'ts' }), [], { titles, texts });
  return { titles, texts };
}

/** @returns undefined for a file that is not there. @param file below `test/` */
export function readTests(file: string): TestFile | undefined {
  const path = `test/${file}`;
  return existsSync(path) ? parseTests(readFileSync(path, 'utf8')) : undefined;
}

/** How many of the titles a reference means; it may leave out those of `describe`. */
export function countMeant(titles: readonly string[], reference: string): number {
  return titles.filter((title) => title === reference || title.endsWith(`${separator}${reference}`))
    .length;
}

function visit(
  value: unknown,
  outer: readonly string[],
  found: { readonly titles: string[]; readonly texts: Set<string> },
): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      visit(item, outer, found);
    }
    return;
  }
  if (!isNode(value)) {
    return;
  }
  if (value.type === 'Literal' && typeof value.value === 'string') {
    found.texts.add(value.value);
  }
  const block = readBlock(value);
  if (block?.name === 'it') {
    found.titles.push([...outer, block.title].join(separator));
  }
  const within = block?.name === 'describe' ? [...outer, block.title] : outer;
  for (const member of Object.values(value)) {
    visit(member, within, found);
  }
}

/** `it('title', …)`, `describe.each(…)('title', …)` and so on. */
function readBlock(
  node: SyntaxNode,
): { readonly name: string; readonly title: string } | undefined {
  const [first, second] = Array.isArray(node.arguments) ? node.arguments : [];
  if (node.type !== 'CallExpression' || !isNode(first) || !second) {
    return undefined;
  }
  const name = calledName(node);
  return first.type === 'Literal' && typeof first.value === 'string' && name
    ? { name, title: first.value }
    : undefined;
}

function calledName(node: SyntaxNode): string | undefined {
  let callee: unknown = node.callee;
  while (isNode(callee) && callee.type !== 'Identifier') {
    callee = callee.callee ?? callee.object ?? callee.tag;
  }
  return isNode(callee) && typeof callee.name === 'string' ? callee.name : undefined;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}
