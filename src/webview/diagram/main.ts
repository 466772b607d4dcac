/** Draws diagrams, in a thread of its own: the build makes a function of this file, which the page gives to a worker. */
import type { DiagramReply, DiagramToDraw } from '../shared/diagrams/diagramWorker.js';
import { drawSource } from './drawSource.js';

/** What a thread of a page has of a window, without the types of one. */
const thread = globalThis as unknown as {
  onmessage: (event: MessageEvent<DiagramToDraw>) => void;
  postMessage(drawn: DiagramReply | undefined): void;
};

thread.onmessage = ({ data: { source, colors } }) => {
  thread.postMessage(drawSource(source, colors));
};
