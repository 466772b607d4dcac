import {
  cellsOf,
  cellWidth,
  Drawing,
  type DrawnSource,
  isTooLarge,
  margin,
  type PictureColors,
  visible,
} from './drawing.js';

type Shape = 'plain' | 'square' | 'round';

interface MindNode {
  readonly text: string;
  readonly shape: Shape;
  readonly indent: number;
  readonly depth: number;
  readonly children: MindNode[];
}

const rowHeight = 30;
const boxHeight = 24;
const padding = 8;
/** Between a node and its children. */
const gap = 36;

/** Opening and closing of a node with an edge. */
const shapes: readonly (readonly [open: string, close: string, shape: Shape])[] = [
  ['((', '))', 'round'],
  ['))', '((', 'round'],
  ['{{', '}}', 'square'],
  ['[', ']', 'square'],
  ['(', ')', 'round'],
  [')', '(', 'round'],
];

/** @param statements the header first. `undefined`: nothing of it is understood, or it is too large. */
export function drawMindmap(
  statements: readonly string[],
  colors: PictureColors,
): DrawnSource | undefined {
  const { nodes, isWhole } = readMindmap(statements.slice(1));
  const [root] = nodes;
  if (!root) {
    return undefined;
  }
  const columns: number[] = [];
  for (const { depth, text } of nodes) {
    columns[depth] = Math.max(columns[depth] ?? 0, cellsOf(text) * cellWidth + 2 * padding);
  }
  const lefts = columns.map(
    (_one, depth) => margin + columns.slice(0, depth).reduce((sum, width) => sum + width + gap, 0),
  );
  const width = Math.ceil((lefts.at(-1) ?? 0) + (columns.at(-1) ?? 0) + margin);
  const middles = new Map<MindNode, number>();
  let row = 0;
  // children come after their parents
  for (const node of nodes.toReversed()) {
    const first = node.children[0];
    const last = node.children.at(-1);
    const middle =
      first && last
        ? ((middles.get(first) ?? 0) + (middles.get(last) ?? 0)) / 2
        : (row++ + 0.5) * rowHeight;
    middles.set(node, middle);
  }
  const height = row * rowHeight + 2 * margin;
  if (isTooLarge(width, height)) {
    return undefined;
  }
  const drawing = new Drawing(colors);
  // rows were counted from the end
  const yOf = (node: MindNode) => Math.floor(height - margin - (middles.get(node) ?? 0)) + 0.5;
  for (const node of nodes) {
    const left = lefts[node.depth] ?? margin;
    const y = yOf(node);
    const right = left + cellsOf(node.text) * cellWidth + 2 * padding;
    if (node.shape !== 'plain') {
      const radius = node.shape === 'round' ? boxHeight / 2 : 3;
      drawing.addPath(node === root ? 'thick' : 'thin', boxPath(left, y, right - left, radius));
    }
    drawing.addWord(node.text, left + padding, y);
    const childLeft = lefts[node.depth + 1] ?? right;
    for (const child of node.children) {
      const bend = childLeft - gap / 2;
      const start = node.shape === 'plain' ? right - padding / 2 : right;
      const end = child.shape === 'plain' ? childLeft + padding / 2 : childLeft;
      drawing.addPath('thin', `M${start} ${y}H${bend}V${yOf(child)}H${end}`);
    }
  }
  return { ...drawing.picture(width, height), isWhole };
}

/** In the order of the source, the root first. */
function readMindmap(lines: readonly string[]) {
  const nodes: MindNode[] = [];
  const path: MindNode[] = [];
  let isWhole = true;
  for (const line of lines) {
    const text = line.trimStart();
    // icons and classes of the node above
    if (text.startsWith('::')) {
      continue;
    }
    const indent = line.length - text.length;
    while (path.length > 0 && (path.at(-1)?.indent ?? 0) >= indent) {
      path.pop();
    }
    const parent = path.at(-1);
    const read = readNode(text);
    const [root] = nodes;
    if (!parent && root) {
      // what is below a second root goes to the first one
      isWhole = false;
      path.push(root);
      continue;
    }
    if (read.text === '') {
      isWhole = false;
      continue;
    }
    const shape = nodes.length === 0 && read.shape === 'plain' ? 'round' : read.shape;
    const node = { text: read.text, shape, indent, depth: path.length, children: [] };
    parent?.children.push(node);
    nodes.push(node);
    path.push(node);
  }
  return { nodes, isWhole };
}

function readNode(line: string): { readonly text: string; readonly shape: Shape } {
  const start = line.search(/[[({)]/);
  const rest = start < 0 ? '' : line.slice(start);
  const found = shapes.find(
    ([open, close]) =>
      rest.startsWith(open) && rest.endsWith(close) && rest.length > open.length + close.length,
  );
  const text = found ? rest.slice(found[0].length, -found[1].length) : line;
  const unquoted = /^"`?([^"]*?)`?"$/.exec(text)?.[1] ?? text;
  return { text: visible(unquoted.replace(/<br\s*\/?>/g, ' ')), shape: found?.[2] ?? 'plain' };
}

function boxPath(left: number, middle: number, width: number, radius: number): string {
  const top = middle - boxHeight / 2;
  const across = width - 2 * radius;
  const down = boxHeight - 2 * radius;
  const arc = (x: number, y: number) => `a${radius} ${radius} 0 0 1 ${x} ${y}`;
  return `M${left + radius} ${top}h${across}${arc(radius, radius)}v${down}${arc(-radius, radius)}h${-across}${arc(-radius, -radius)}v${-down}${arc(radius, -radius)}z`;
}
