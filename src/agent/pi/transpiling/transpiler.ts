/** What the thread runs: texts come in, texts go out, and none of them is evaluated. */
import { parentPort } from 'node:worker_threads';
import { JitiFiles, withoutCache } from './jiti.js';
import type { TranspilerAnswer, TranspilerRequest } from './transpilerThread.js';

parentPort?.on('message', ({ id, beside, settings, input }: TranspilerRequest & { id: number }) => {
  const answer: TranspilerAnswer = { id, ...tryTransform(beside, settings, input) };
  parentPort?.postMessage(answer);
});

function tryTransform(
  beside: string,
  settings: TranspilerRequest['settings'],
  input: TranspilerRequest['input'],
): { readonly code?: string } {
  try {
    const files = new JitiFiles(beside);
    const jiti = files.create(beside, {
      ...settings,
      ...withoutCache,
      transform: (one) => files.transform(one),
    });
    return { code: jiti.transform(input) };
  } catch {
    // the same happens where Pi runs, where it is told of
    return {};
  }
}
