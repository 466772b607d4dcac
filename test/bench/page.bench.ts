/** The page of the Pi Agent view in a real browser: what it costs to draw a part of an answer below a long conversation. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { startStage } from '../helpers/pages/stage.mjs';
import type { agentSnapshots } from '../helpers/pages/states/agent.mjs';
import { against, type BenchRow } from './measure.js';

const short = 100;
/** What a page grows to before it is shortened. */
const full = 400;
/** A reader has brought back all of a conversation. */
const long = 5_000;
const flushes = 60;
const preview = join(process.cwd(), 'test/helpers/pages');

export async function runBench(): Promise<readonly (BenchRow & { readonly target?: number })[]> {
  // a browser is no part of a bundle
  const load = (file: string) => import(pathToFileURL(join(preview, file)).href);
  const harness: { startStage: typeof startStage } = await load('stage.mjs');
  const states: { agentSnapshots: typeof agentSnapshots } = await load('states/agent.mjs');
  const browser = await harness.startStage();
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
const itemText = 'Some words of an item, with **bold** ones and `code`';
const tableHead = '| what | how many |\n| --- | --- |\n';

/** Single entries that are as large as they get. */
async function heavyEntries(
  browser: Awaited<ReturnType<typeof startStage>>,
  empty: typeof agentSnapshots.empty,
): Promise<readonly (BenchRow & { readonly target?: number })[]> {
  const page = await browser.open({ page: 'agent', replies: { ready: empty }, width: 300 });
  await page.locator('#composer-text').waitFor();
  const grownBlocks = [
    {
      name: 'a line of 300 of a block of code',
      start: '```ts\n',
      line: codeLine,
      count: 300,
      target: frameMs,
    },
    // a list is one block, which is drawn whole: its figure says when that is too much
    { name: 'an item of 300 of a list', start: 'These:\n\n', line: `- ${itemText}`, count: 300 },
    { name: 'a row of 300 of a table', start: tableHead, line: `| ${itemText} | 1 |`, count: 300 },
  ];
  const text = `${'A line of a result.\n'.repeat(2_000_000 / 20)}`;
  const head = { id: 'result', kind: 'tool', tool: 'read', args: '{}', status: 'done' };
  const result = { ...head, result: [{ kind: 'text', text }] };
  const times = await page.evaluate(
    ({ snapshot, whole, blocks }) => {
      const receive = (type: string, params: unknown) => {
        const start = performance.now();
        const data = { type, params };
        window.dispatchEvent(new MessageEvent('message', { data, origin: window.origin }));
        document.querySelector('#transcript')?.getBoundingClientRect();
        return performance.now() - start;
      };
      const blockMs = blocks.map(({ start, line, count }, index) => {
        const entry = { id: `block${index}`, kind: 'assistant', text: start, isStreaming: true };
        receive('snapshot', { ...snapshot, transcript: [entry] });
        let from = start.length;
        const growths = Array.from({ length: count }, () => {
          const added = `${line}\n`;
          const change = { id: entry.id, kind: 'growth', text: { from, added } };
          from += added.length;
          return receive('entries', [change]);
        });
        // the very longest may have met a collection of garbage
        return growths.sort((a, b) => b - a)[3] ?? 0;
      });
      return { resultMs: receive('entries', [whole]), blockMs };
    },
    { snapshot: empty, whole: result, blocks: grownBlocks },
  );
  await page.close();
  return [
    { name: 'draw a call with a result of 2 MB', ms: times.resultMs, target: frameMs },
    ...grownBlocks.map(({ name, target }, index) => ({
      name: `draw ${name}`,
      ms: times.blockMs[index] ?? 0,
      ...(target !== undefined && { target }),
    })),
  ];
}

async function measurePage(
  browser: Awaited<ReturnType<typeof startStage>>,
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
