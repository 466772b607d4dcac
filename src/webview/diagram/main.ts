/** Draws diagrams, in a thread of its own: the build makes a function of this file, which the page gives to a worker. */
import { render } from 'grok-mermaid';
import type { DiagramDrawn, DiagramToDraw } from '../shared/diagramWorker.js';
import { pictureOf } from './picture.js';

/** What a thread of a page has of a window, without the types of one. */
const thread = globalThis as unknown as {
  onmessage: (event: MessageEvent<DiagramToDraw>) => void;
  postMessage(drawn: DiagramDrawn | undefined): void;
};

thread.onmessage = ({ data: { source, colors } }) => {
  const art = render(source);
  const picture = art && pictureOf(art.styled, art.width, colors);
  thread.postMessage(picture ? { ...picture, isWhole: art.warnings.length === 0 } : undefined);
};
