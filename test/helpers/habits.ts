/** Habits that grow by themselves, counted in the syntax of a source. Pure, so that each can be shown to be found. */
import { parseAst } from 'vitest/node';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Objects that take a key only where something holds, as they are written: mostly `{ key: value }` says the same. */
export function conditionalSpreads(text: string): readonly string[] {
  const found: string[] = [];
  walk(bodyOf(text), (node) => {
    if (node.type === 'ObjectExpression') {
      const parts = node.properties as readonly Node[];
      const spreads = parts.filter(
        ({ type, argument }) => type === 'SpreadElement' && isConditional(argument as Node),
      );
      found.push(...spreads.map(({ start, end }) => text.slice(start, end)));
    }
  });
  return found;
}

/** What others can import of a source, types included. */
export function exportedNames(text: string): readonly string[] {
  const declared = bodyOf(text).flatMap(({ type, declaration }) =>
    type === 'ExportNamedDeclaration' && declaration ? [declaration as Node] : [],
  );
  const ids = declared.flatMap(({ id, declarations = [] }) =>
    id ? [id as Node] : (declarations as readonly Node[]).map((one) => one.id as Node),
  );
  return [...new Set(ids.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])))];
}

/** Names that several files export, with these files. */
export function twins(
  names: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, readonly string[]> {
  const byName = new Map<string, string[]>();
  for (const [file, own] of names) {
    for (const name of own) {
      byName.set(name, [...(byName.get(name) ?? []), file]);
    }
  }
  return new Map([...byName].filter(([, all]) => all.length > 1));
}

/** What a module keeps beside its objects and may change while it runs; a memo by weak keys is none. */
export function moduleState(text: string): readonly string[] {
  return declarationsOf(text).flatMap((one) => {
    const { kind, declarations = [] } = one as {
      readonly kind?: unknown;
      readonly declarations?: readonly Node[];
    };
    return declarations.flatMap(({ id, init }) => {
      const { name, typeAnnotation } = id as {
        readonly name?: string;
        readonly typeAnnotation?: unknown;
      };
      const {
        type,
        callee,
        arguments: given,
      } = (init ?? {}) as {
        readonly type?: string;
        readonly callee?: { readonly name?: string };
        readonly arguments?: readonly unknown[];
      };
      const isFilledLater =
        type === 'NewExpression' &&
        /^(?:Map|Set)$/.test(callee?.name ?? '') &&
        given?.length === 0 &&
        !typeAnnotation;
      return name !== undefined && (kind === 'let' || isFilledLater) ? [name] : [];
    });
  });
}

/** Options of one object, of which a reader has to know more than seven. */
export function largeBags(text: string): readonly string[] {
  return declarationsOf(text).flatMap((one) => {
    const { type, id, body } = one as {
      readonly type?: string;
      readonly id?: { readonly name: string };
      readonly body?: { readonly body: readonly unknown[] };
    };
    const isBag =
      type === 'TSInterfaceDeclaration' && /(?:Options|Parts|Context|Ports)$/.test(id?.name ?? '');
    return isBag && id && (body?.body.length ?? 0) > 7 ? [id.name] : [];
  });
}

/** What stands in a source by itself, exported or not. */
function declarationsOf(text: string): readonly Node[] {
  return bodyOf(text).map(
    (statement) => (statement.declaration as Node | null | undefined) ?? statement,
  );
}

function bodyOf(text: string): readonly Node[] {
  return parseAst(text, { lang: 'ts' }).body as unknown as readonly Node[];
}

function isConditional(node: Node): boolean {
  return (
    node.type === 'ConditionalExpression' ||
    (node.type === 'LogicalExpression' && node.operator !== '??') ||
    (node.type === 'ParenthesizedExpression' && isConditional(node.expression as Node))
  );
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  if ('type' in value) {
    visit(value as Node);
  }
  for (const inner of Object.values(value)) {
    walk(inner, visit);
  }
}
