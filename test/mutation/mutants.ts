/** Small changes of a source, each of which some test ought to notice. Pure. */
import { parseAst } from 'vitest/node';

export interface Mutant {
  readonly kind: string;
  /** Offsets of what is replaced. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
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
  visit(parseAst(code, { lang: 'ts' }), (node) => found.push(...mutantsOf(node, code)));
  return found.sort((one, other) => one.start - other.start || one.end - other.end);
}

export function applyMutant(code: string, { start, end, text }: Mutant): string {
  return code.slice(0, start) + text + code.slice(end);
}

/** Functions of a source by the offsets of their blocks, outermost first. */
export function findFunctions(code: string): readonly Pick<Mutant, 'start' | 'end'>[] {
  const found: SyntaxNode[] = [];
  visit(parseAst(code, { lang: 'ts' }), (node) => {
    if (isNode(node.body) && /Function/.test(node.type) && node.body.type === 'BlockStatement') {
      found.push(node.body);
    }
  });
  return found.map(({ start, end }) => ({ start, end }));
}

function visit(value: unknown, onNode: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      visit(item, onNode);
    }
  } else if (isNode(value) && !isLeftAlone(value)) {
    onNode(value);
    for (const [name, member] of Object.entries(value)) {
      // a name, not a value
      const isName = (name === 'key' || name === 'property') && value.computed !== true;
      if (!isName) {
        visit(member, onNode);
      }
    }
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

function mutantsOf(node: SyntaxNode, code: string): readonly Mutant[] {
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
        ? [replaced('negation removed', node, `(${textOf(node.argument, code)})`)]
        : [];
    case 'ExpressionStatement':
      return isNode(node.expression) && !isLeftAlone(node.expression)
        ? [replaced('statement removed', node, ';')]
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
      return methodMutants(node);
    default:
      return [];
  }
}

function operatorMutants(node: SyntaxNode, code: string): readonly Mutant[] {
  const { operator, left, right } = node;
  if (!isNode(left) || !isNode(right) || (isSum(operator) && (isText(left) || isText(right)))) {
    return [];
  }
  const between = code.slice(left.end, right.start);
  const start = left.end + between.indexOf(String(operator));
  const end = start + String(operator).length;
  return (operators[String(operator)] ?? []).map((text) => ({
    kind: `${operator} is ${text}`,
    start,
    end,
    text,
  }));
}

function isSum(operator: unknown): boolean {
  return operator === '+' || operator === '+=';
}

function isText(node: SyntaxNode): boolean {
  return node.type === 'TemplateLiteral' || typeof node.value === 'string';
}

function literalMutants(node: SyntaxNode): readonly Mutant[] {
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

function methodMutants({ callee }: SyntaxNode): readonly Mutant[] {
  const property = isNode(callee) && callee.computed !== true ? callee.property : undefined;
  const name = nameOf(property);
  const other = Object.hasOwn(methods, name) ? methods[name] : undefined;
  return isNode(property) && other !== undefined
    ? [replaced(`${name} is ${other}`, property, other)]
    : [];
}

function replaced(kind: string, { start, end }: SyntaxNode, text: string): Mutant {
  return { kind, start, end, text };
}

function textOf({ start, end }: SyntaxNode, code: string): string {
  return code.slice(start, end);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
