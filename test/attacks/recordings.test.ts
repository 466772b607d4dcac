/** Recordings of anybody's making, and servers that want to be seen as something else in the Inspector. */
import { beforeAll, describe, expect, it } from 'vitest';
import { Recording } from '../../src/mcp/traffic/recording.js';
import { importRecording } from '../../src/mcp/traffic/recordingFile.js';
import { systemClock } from '../../src/platform/clock.js';
import { InspectorModel } from '../../src/presentation/inspector/inspectorModel.js';
import { importedView } from '../../src/presentation/inspector/view.js';
import { inspectorReplies } from '../helpers/pages/states/inspector.mjs';
import { usePages } from '../helpers/pages/usePages.js';
import { SeededRandom } from '../helpers/seededRandom.js';

const head = '{"piMcpRecording":1,"server":"s"}\n';
const run = 'window.canaryRan=true';
const markup = `<img src=x onerror="${run}"><script>${run}</script><a href="javascript:${run}">x</a>`;
const pages = usePages();

beforeAll(async () => {});

/** All that the page is given of a recording. */
function look(text: string) {
  const recording = importRecording(text);
  const model = new InspectorModel(recording);
  const rows = model.rows;
  const details = rows.map(({ id }) => model.details(id, undefined));
  return { recording, model, rows, details, view: importedView(recording, '/a') };
}

describe('a hostile recording', () => {
  it('would be seen: a good one has its entries', () => {
    const line =
      '{"t":1,"gen":1,"dir":"sent","frame":{"id":1,"method":"tools/call","params":{"name":"a"}}}';
    expect(look(head + line).rows).toMatchObject([{ method: 'tools/call', target: 'a' }]);
  });

  it.each([
    ['nothing', ''],
    ['no head', '{"t":1}'],
    ['another version', '{"piMcpRecording":2}'],
    ['a list', '[1]'],
    ['binary', '\u0000\u0001\uffff'],
  ])('that is %s is refused', (_what, text) => {
    expect(() => importRecording(text)).toThrow('not a recording');
  });

  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  it.each([
    ['what is too deep', `{"t":1,"gen":1,"dir":"sent","frame":{"a":${deep}}}`],
    ['times of no calendar', '{"t":1e300,"gen":1,"dir":"sent","frame":{}}'],
    ['a time that is text', '{"t":"1","gen":1,"stderr":{"text":"x"}}'],
    ['connections of no number', '{"t":1,"gen":-1,"stderr":{"text":"x"}}'],
    ['very many connections', '{"t":1,"gen":1e9,"stderr":{"text":"x"}}'],
    ['unknown kinds', '{"t":1,"gen":1,"run":{"command":"touch x"}}'],
    ['prototypes', '{"__proto__":{"t":1,"gen":1,"dir":"sent","frame":{}}}'],
    ['half a line', '{"t":1,"gen":1,'],
  ])('loses %s, and nothing else', (_what, line) => {
    const good = '{"t":2,"gen":1,"stderr":{"text":"kept"}}';
    const { recording, rows } = look(`${head}${line}\n${good}\n`);
    expect(recording.skipped).toBe(1);
    expect(rows).toMatchObject([{ kind: 'stderr', target: 'kept' }]);
    expect(({} as { t?: unknown }).t).toBeUndefined();
  });

  it.each([
    ['requests', '"method":"a"'],
    ['rounds that nobody asked for', '"method":"a","params":{"requestState":"s"}'],
  ])('of more lines than are read ends in time, with %s', (_what, frame) => {
    const lines = Array.from(
      { length: 100_000 },
      (_, id) => `{"t":1,"gen":1,"dir":"sent","frame":{"id":${id},${frame}}}\n`,
    );
    const started = performance.now();
    const { rows } = look(head + lines.join(''));
    expect(rows.length).toBeLessThanOrEqual(50_000);
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it('with texts without end gives the page short ones', () => {
    const long = 'x'.repeat(1_000_000);
    const frame = {
      id: long,
      method: long,
      params: { name: long, _meta: { progressToken: long } },
    };
    const { rows, details } = look(head + JSON.stringify({ t: 1, gen: 1, dir: 'sent', frame }));
    expect(JSON.stringify(rows).length).toBeLessThan(5_000);
    expect(JSON.stringify(details).length).toBeLessThan(100_000);
  });

  it('can have nothing sent', () => {
    const line =
      '{"t":1,"gen":1,"dir":"sent","frame":{"id":1,"method":"tools/call","params":{"name":"rm"}}}';
    const { model, rows, view } = look(head + line);
    expect(view.recording).toBeDefined();
    expect(model.replay(rows[0]?.id ?? 0, undefined)).toBeUndefined();
  });

  it('of random lines breaks nothing', () => {
    const random = new SeededRandom(5);
    const values = ['1', '-1', '"x"', 'null', '{}', '[]', '1e999', '"\\u202e"', 'true'];
    const keys = ['t', 'gen', 'dir', 'frame', 'head', 'size', 'http', 'life', 'stderr', 'id'];
    const object = (depth: number): string =>
      `{${Array.from({ length: random.below(6) }, () => {
        const value = depth > 0 && random.chance(2) ? object(depth - 1) : random.pick(values);
        return `"${random.pick(keys)}":${value}`;
      }).join(',')}}`;
    const lines = Array.from({ length: 3_000 }, () =>
      `{"t":1,"gen":1,"dir":"sent",${object(3).slice(1)}`.replace(',}', '}'),
    );
    look(head + lines.join('\n'));
  });
});

describe('markup in what a server says', () => {
  it('would be noticed: the canary runs where the page itself is asked to', async () => {
    const page = await pages.open({ page: 'server', replies: inspectorReplies });
    await page.evaluate(run);
    expect(await page.evaluate(() => 'canaryRan' in window)).toBe(true);
    await page.close();
  });

  it('is text on the page', async () => {
    const recording = new Recording(systemClock);
    const tap = recording.open('stdio', (text) => text);
    tap.message('sent', { id: 0, method: 'initialize', params: {} });
    const serverInfo = { name: markup, version: markup };
    tap.message('received', { id: 0, result: { serverInfo, instructions: markup } });
    tap.message('received', { method: `notifications/${markup}`, params: { name: markup } });
    tap.stderr(markup);
    tap.closed(markup);
    const model = new InspectorModel(recording);
    const view = importedView(importRecording(head), markup);
    const { connectionsOf } = await import('../../src/presentation/inspector/connections.js');
    const ready = {
      view: { ...view, connections: connectionsOf(recording.handshakes) },
      rows: model.rows,
    };
    const stray = model.rows.find(({ kind }) => kind === 'notification')?.id ?? 0;
    const details = model.details(stray, undefined);
    const page = await pages.open({
      page: 'server',
      replies: { ...inspectorReplies, ready, details },
    });
    const asked: string[] = [];
    // its own font may still be on its way
    page.on(
      'request',
      (request) => !request.url().includes('/codicon.ttf') && asked.push(request.url()),
    );
    await page.locator(`#row-${stray}`).click();
    await page.locator('.frame').first().waitFor();
    await page.getByRole('button', { name: 'Handshake and Capabilities' }).click();
    await page.getByRole('heading', { name: 'Instructions' }).waitFor();
    expect(await page.locator('#root :is(img, script, a)').count()).toBe(0);
    expect(await page.evaluate(() => 'canaryRan' in window)).toBe(false);
    expect(asked).toEqual([]);
    await page.close();
    await recording.dispose();
  });
});
