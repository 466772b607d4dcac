/** Small changes of a source, each of which some test ought to notice. Pure. */
import { parseAst } from 'vitest/node';

export interface Mutant {
  readonly kind: string;
  /** Offsets of the expression that is another one. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Offsets of what is around it and can stand in parentheses without meaning something else. */
  readonly place: { readonly start: number; readonly end: number };
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** What stands for each operator. */
const operators: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '==': ['!='],
  '!=': ['=='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
};

const methods: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  min: 'max',
  max: 'min',
};

/** Of TypeScript, what holds expressions that run. */
const running = new Set([
  'TSAsExpression',
  'TSSatisfiesExpression',
  'TSNonNullExpression',
  'TSParameterProperty',
  'TSEnumDeclaration',
]);

/** In the order of the source. Types, imports, what is logged and texts for people are left alone. */
export function findMutants(code: string): readonly Mutant[] {
  const found: Mutant[] = [];
  visit(parseAst(code, { lang: 'ts' }), [], (node, parents) => {
    for (const { of, ...mutant } of mutantsOf(node, code)) {
      const { start, end } = placeOf(of, of === node ? parents : [node, ...parents]);
      found.push({ ...mutant, start: of.start, end: of.end, place: { start, end } });
    }
  });
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

/** @param parents the nearest first */
function visit(
  value: unknown,
  parents: readonly SyntaxNode[],
  onNode: (node: SyntaxNode, parents: readonly SyntaxNode[]) => void,
): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      visit(item, parents, onNode);
    }
  } else if (isNode(value) && !isLeftAlone(value)) {
    onNode(value, parents);
    for (const [name, member] of Object.entries(value)) {
      // a name, not a value
      const isName = (name === 'key' || name === 'property') && value.computed !== true;
      if (!isName) {
        visit(member, [value, ...parents], onNode);
      }
    }
  }
}

/** Beyond the links of a chain, which may end early, and the targets of assignments. */
function placeOf(node: SyntaxNode, parents: readonly SyntaxNode[]): SyntaxNode {
  const [parent, ...rest] = parents;
  return parent && isBound(node, parent) ? placeOf(parent, rest) : node;
}

function isBound(node: SyntaxNode, parent: SyntaxNode): boolean {
  switch (parent.type) {
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'UpdateExpression':
      return true;
    case 'MemberExpression':
      return parent.object === node;
    case 'CallExpression':
    case 'NewExpression':
      return parent.callee === node;
    case 'TaggedTemplateExpression':
      return parent.tag === node || parent.quasi === node;
    case 'AssignmentExpression':
    case 'ForOfStatement':
    case 'ForInStatement':
      return parent.left === node;
    case 'UnaryExpression':
      return parent.operator === 'delete';
    default:
      return false;
  }
}

function isLeftAlone(node: SyntaxNode): boolean {
  const { type } = node;
  return (
    (type.startsWith('TS') && !running.has(type)) ||
    type === 'ImportDeclaration' ||
    type === 'ImportExpression' ||
    type === 'ExportAllDeclaration' ||
    (type === 'CallExpression' && /^(l10n|logger|log|console)$|\.(log|logger)$/.test(ownerOf(node)))
  );
}

/** `a.b` of `a.b.c()`, without `this`. */
function ownerOf({ callee }: SyntaxNode): string {
  return isNode(callee) && callee.type === 'MemberExpression' ? nameOf(callee.object) : '';
}

function nameOf(node: unknown): string {
  if (!isNode(node)) {
    return '';
  }
  return node.type === 'MemberExpression'
    ? `${nameOf(node.object)}.${nameOf(node.property)}`
    : typeof node.name === 'string'
      ? node.name
      : '';
}

/** What may stand for an expression. */
type Change = Pick<Mutant, 'kind' | 'text'> & { readonly of: SyntaxNode };

function mutantsOf(node: SyntaxNode, code: string): readonly Change[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return operatorMutants(node, code);
    case 'IfStatement':
    case 'ConditionalExpression':
      return isNode(node.test)
        ? [
            replaced('negated condition', node.test, `!(${textOf(node.test, code)})`),
            replaced('branch never taken', node.test, 'false'),
          ]
        : [];
    case 'WhileStatement':
    case 'ForStatement':
      return isNode(node.test) ? [replaced('loop never entered', node.test, 'false')] : [];
    case 'UnaryExpression':
      return node.operator === '!' && isNode(node.argument)
        ? [replaced('negation removed', node, textOf(node.argument, code))]
        : [];
    case 'ExpressionStatement':
      return isNode(node.expression) && !isLeftAlone(node.expression) && !isFixed(node)
        ? [replaced('statement removed', node.expression, 'undefined')]
        : [];
    case 'ReturnStatement':
      return isNode(node.argument) && textOf(node.argument, code) !== 'undefined'
        ? [replaced('nothing returned', node.argument, 'undefined')]
        : [];
    case 'Literal':
      return literalMutants(node);
    case 'ArrayExpression':
      return Array.isArray(node.elements) && node.elements.length > 0
        ? [replaced('empty list', node, '[]')]
        : [];
    case 'TemplateLiteral':
      return [replaced('empty text', node, '``')];
    case 'CallExpression':
      return methodMutants(node, code);
    default:
      return [];
  }
}

/** A directive, or the call of what a class extends, without which it is none. */
function isFixed({ directive, expression }: SyntaxNode): boolean {
  return (
    typeof directive === 'string' ||
    (isNode(expression) && isNode(expression.callee) && expression.callee.type === 'Super')
  );
}

function operatorMutants(node: SyntaxNode, code: string): readonly Change[] {
  const { operator, left, right } = node;
  if (!isNode(left) || !isNode(right) || (isSum(operator) && (isText(left) || isText(right)))) {
    return [];
  }
  const isAssignment = node.type === 'AssignmentExpression';
  const [before, after] = [left, right].map((one) => textOf(one, code));
  return (operators[String(operator)] ?? []).map((other) => ({
    kind: `${operator} is ${other}`,
    of: node,
    text: isAssignment ? `${before} ${other} ${after}` : `(${before}) ${other} (${after})`,
  }));
}

function isSum(operator: unknown): boolean {
  return operator === '+' || operator === '+=';
}

function isText(node: SyntaxNode): boolean {
  return node.type === 'TemplateLiteral' || typeof node.value === 'string';
}

function literalMutants(node: SyntaxNode): readonly Change[] {
  const { value } = node;
  switch (typeof value) {
    case 'boolean':
      return [replaced(`${value} is ${!value}`, node, String(!value))];
    case 'number':
      return [
        replaced('another number', node, value === 0 ? '1' : value === 1 ? '0' : `${value * 2}`),
      ];
    case 'string':
      return [
        replaced(value === '' ? 'some text' : 'empty text', node, value === '' ? "'mutant'" : "''"),
      ];
    default:
      return [];
  }
}

function methodMutants(node: SyntaxNode, code: string): readonly Change[] {
  const { callee } = node;
  const property = isNode(callee) && callee.computed !== true ? callee.property : undefined;
  const name = nameOf(property);
  const other = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return isNode(property) && other !== undefined
    ? [
        replaced(
          `${name} is ${other}`,
          node,
          code.slice(node.start, property.start) + other + code.slice(property.end, node.end),
        ),
      ]
    : [];
}

function replaced(kind: string, of: SyntaxNode, text: string): Change {
  return { kind, of, text };
}

function textOf({ start, end }: SyntaxNode, code: string): string {
  return code.slice(start, end);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
