/** Draws a diagram where it can neither hold up nor reach the page: in a thread that ends with the drawing or its time. */
import { lazyScript } from '../lazyScript.js';

export interface DiagramToDraw {
  readonly source: string;
  /** CSS colours. */
  readonly colors: { readonly text: string; readonly line: string; readonly label: string };
}

interface DiagramDrawn {
  readonly kind: 'drawn';
  /** A picture: as an image, nothing of it can run or load anything. */
  readonly svg: string;
  /** What is written in it. */
  readonly words: readonly string[];
  /** Every line of the source was understood. */
  readonly isWhole: boolean;
}

/** There is no reader of what its header says. */
interface DiagramUnknown {
  readonly kind: 'unknown';
  readonly name: string;
}

export type DiagramReply = DiagramDrawn | DiagramUnknown;

const limitMs = 5_000;

const load = lazyScript('diagram.js');

/** Made by the build, of `diagram/main.ts`. */
interface Shared {
  piMcpDrawDiagrams?: () => void;
}

/** `undefined`: it cannot be drawn, or takes too long. Never rejects. */
export async function drawDiagram(asked: DiagramToDraw): Promise<DiagramReply | undefined> {
  const isLoaded = await load();
  const work = (globalThis as Shared).piMcpDrawDiagrams;
  if (!isLoaded || !work) {
    return undefined;
  }
  const url = URL.createObjectURL(new Blob([`(${work})()`], { type: 'text/javascript' }));
  const worker = new Worker(url);
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(resolve, limitMs, undefined);
      worker.onmessage = ({ data }: MessageEvent<DiagramReply | undefined>) => resolve(data);
      worker.onerror = (event) => {
        // what its reader did not expect
        event.preventDefault();
        resolve(undefined);
      };
      worker.postMessage(asked);
    });
  } finally {
    clearTimeout(timer);
    worker.terminate();
    URL.revokeObjectURL(url);
  }
}
