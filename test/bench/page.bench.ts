/** The page of the Pi Agent view in a real browser: what it costs to draw a part of an answer below a long conversation. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { startPreview } from '../workbench/preview/harness.mjs';
import type { agentSnapshots } from '../workbench/preview/states.mjs';
import { against, type BenchRow } from './measure.js';

const short = 100;
/** What a page grows to before it is shortened. */
const full = 400;
/** A reader has brought back all of a conversation. */
const long = 5_000;
const flushes = 60;
const preview = join(process.cwd(), 'test/workbench/preview');

export async function runBench(): Promise<readonly (BenchRow & { readonly target?: number })[]> {
  // a browser is no part of a bundle
  const load = (file: string) => import(pathToFileURL(join(preview, file)).href);
  const harness: { startPreview: typeof startPreview } = await load('harness.mjs');
  const states: { agentSnapshots: typeof agentSnapshots } = await load('states.mjs');
  const browser = await harness.startPreview();
  try {
    const measure = (entries: number) => measurePage(browser, states.agentSnapshots.empty, entries);
    const few = await measure(short);
    const most = await measure(full);
    const many = await measure(long);
    const opened = { name: `open a page of ${short} entries`, ms: few.openMs };
    const grown = { name: `draw a part of an answer below ${short} entries`, ms: few.growMs };
    const part = (entries: number, ms: number) =>
      against(grown, `draw a part of an answer below ${entries} entries`, ms);
    return [
      opened,
      against(opened, `open a page of ${full} entries`, most.openMs),
      grown,
      { ...part(full, most.growMs), target: (full / short) * 1.5 },
      { ...part(long, many.growMs), target: (long / short) * 1.5 },
      ...(await heavyEntries(browser, states.agentSnapshots.empty)),
    ];
  } finally {
    await browser.close();
  }
}

/** Milliseconds in which a page has to draw, so that nobody sees it wait. */
const frameMs = 50;
const codeLine =
  "const answer = await ask('how', { many: 42 }); // of the words that are asked for";

/** Single entries that are as large as they get. */
async function heavyEntries(
  browser: Awaited<ReturnType<typeof startPreview>>,
  empty: typeof agentSnapshots.empty,
): Promise<readonly (BenchRow & { readonly target: number })[]> {
  const page = await browser.open({ page: 'agent', replies: { ready: empty }, width: 300 });
  await page.locator('#composer-text').waitFor();
  const code = { id: 'code', kind: 'assistant', text: '```ts\n', isStreaming: true };
  const text = `${'A line of a result.\n'.repeat(2_000_000 / 20)}`;
  const head = { id: 'result', kind: 'tool', tool: 'read', args: '{}', status: 'done' };
  const result = { ...head, result: [{ kind: 'text', text }] };
  const times = await page.evaluate(
    ({ snapshot, whole, line }) => {
      const receive = (type: string, params: unknown) => {
        const start = performance.now();
        const data = { type, params };
        window.dispatchEvent(new MessageEvent('message', { data, origin: window.origin }));
        document.querySelector('#transcript')?.getBoundingClientRect();
        return performance.now() - start;
      };
      receive('snapshot', snapshot);
      let from = snapshot.transcript[0]?.text.length ?? 0;
      const growths = Array.from({ length: 300 }, () => {
        const added = `${line}\n`;
        const change = { id: 'code', kind: 'growth', text: { from, added } };
        from += added.length;
        return receive('entries', [change]);
      });
      return { resultMs: receive('entries', [whole]), codeMs: Math.max(...growths) };
    },
    { snapshot: { ...empty, transcript: [code] }, whole: result, line: codeLine },
  );
  await page.close();
  return [
    { name: 'draw a call with a result of 2 MB', ms: times.resultMs, target: frameMs },
    { name: 'draw a line of 300 of a block of code, worst', ms: times.codeMs, target: frameMs },
  ];
}

async function measurePage(
  browser: Awaited<ReturnType<typeof startPreview>>,
  empty: typeof agentSnapshots.empty,
  entries: number,
): Promise<{ readonly openMs: number; readonly growMs: number }> {
  const page = await browser.open({ page: 'agent', replies: { ready: empty }, width: 300 });
  await page.locator('#composer-text').waitFor();
  const transcript = Array.from({ length: entries }, (_, index) => ({
    id: `a${index}`,
    kind: 'assistant',
    text: `Answer ${index}\n\n- one\n- two\n\nSome words of a paragraph with \`code\`.`,
    isStreaming: index === entries - 1,
  }));
  const times = await page.evaluate(
    ({ snapshot, count }) => {
      /** Milliseconds until the message is drawn and laid out. */
      const receive = (type: string, params: unknown) => {
        const start = performance.now();
        const data = { type, params };
        window.dispatchEvent(new MessageEvent('message', { data, origin: window.origin }));
        document.querySelector('#transcript')?.getBoundingClientRect();
        return performance.now() - start;
      };
      const openMs = receive('snapshot', snapshot);
      const last = snapshot.transcript.at(-1);
      let from = last?.text.length ?? 0;
      const growths = Array.from({ length: count }, (_, index) => {
        const added = ` and word ${index}`;
        const change = { id: last?.id, kind: 'growth', text: { from, added } };
        from += added.length;
        return receive('entries', [change]);
      });
      const sorted = growths.sort((a, b) => a - b);
      return { openMs, growMs: sorted[Math.floor(sorted.length / 2)] ?? 0 };
    },
    { snapshot: { ...empty, transcript }, count: flushes },
  );
  await page.close();
  return times;
}
