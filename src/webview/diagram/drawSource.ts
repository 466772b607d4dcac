import { diagramKind, render } from 'grok-mermaid';
import type { DiagramReply } from '../shared/diagrams/diagramWorker.js';
import { namedKind, statementsOf } from '../shared/diagrams/mermaidText.js';
import type { DrawnSource, PictureColors } from './drawing.js';
import { drawGantt } from './gantt.js';
import { drawMindmap } from './mindmap.js';
import { pictureOf } from './picture.js';
import { drawPie } from './pie.js';

type Draw = (statements: readonly string[], colors: PictureColors) => DrawnSource | undefined;

/** Kinds that are no boxes with lines between them. */
const own = new Map<string | undefined, Draw>([
  ['pie', drawPie],
  ['gantt', drawGantt],
  ['mindmap', drawMindmap],
]);

/** `undefined`: it is too large, or its text is not understood. */
export function drawSource(source: string, colors: PictureColors): DiagramReply | undefined {
  const statements = statementsOf(source);
  const name = namedKind(statements);
  const draw = own.get(name);
  if (draw) {
    const drawn = draw(statements, colors);
    return drawn && { kind: 'drawn', ...drawn };
  }
  const art = render(source);
  if (!art) {
    return name !== undefined && diagramKind(source) === null
      ? { kind: 'unknown', name }
      : undefined;
  }
  const picture = pictureOf(art.styled, art.width, colors);
  return picture && { kind: 'drawn', ...picture, isWhole: art.warnings.length === 0 };
}
