import { expect, it } from 'vitest';
import { trafficScope } from '../../src/protocol/server/serverProtocol.js';
import { savedState, sent, spoken, tell } from '../helpers/pages/host.js';
import { faultsInAllLooks, shoot, violations } from '../helpers/pages/looks.js';
import { callLogReplies, inspectorReplies, manyRows } from '../helpers/pages/states/inspector.mjs';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();

const open = async (options: { replies?: object; theme?: string; width?: number } = {}) => {
  const replies = { ...inspectorReplies, ...options.replies };
  const page = await pages.open({ page: 'server', height: 640, ...options, replies });
  await page.locator('.row').first().waitFor();
  return page;
};

it('goes through the entries by keys, pins one and closes its details', async () => {
  const page = await open();
  const list = page.getByRole('listbox', { name: 'Messages' });
  await list.focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => sent(page, 'details')).toEqual([{ id: 1 }, { id: 2 }]);
  const chosen = list.getByRole('option', { selected: true });
  await expect.poll(() => chosen.getAttribute('id')).toBe('row-2');
  expect(await list.getAttribute('aria-activedescendant')).toBe('row-2');
  await page.locator('.frame').first().waitFor();
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Unpin' }).waitFor();
  expect(await page.locator('.row').first().getAttribute('id')).toBe('row-2');
  await page.keyboard.press('Escape');
  await page.locator('.details').waitFor({ state: 'detached' });
});

it('writes down its filter, and has it again, also of the page that it was', async () => {
  const page = await pages.open({
    page: 'server',
    replies: inspectorReplies,
    savedState: { query: 'status:error', subject: { server: 'global#notes', name: 'notes' } },
  });
  const filter = page.getByRole('textbox', { name: 'Filter' });
  await expect.poll(() => filter.inputValue()).toBe('status:error');
  await filter.fill('status:ok');
  expect(await savedState(page)).toMatchObject({
    subject: { server: 'global#notes', name: 'notes' },
    tab: 'traffic',
    traffic: { query: 'status:ok' },
  });
});

it('says of a recording where it is from, and has no head of a server', async () => {
  const { ready } = inspectorReplies;
  const view = {
    connections: ready.view.connections,
    isConnected: false,
    isGone: true,
    recording: { name: 'Recording', text: 'Its file is gone.', icon: 'circle-slash' },
  };
  const page = await pages.open({
    page: 'server',
    height: 640,
    width: 280,
    replies: {
      ...inspectorReplies,
      open: { kind: 'alone', tab: 'traffic', subject: { recording: '/tmp/a.jsonl' } },
      ready: { view, rows: [] },
    },
  });
  await page.getByText('Its file is gone.').waitFor();
  expect(await page.getByRole('tab').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Ping' }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Serve as a Mock…' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Open Recording…' }).click();
  expect(await sent(page, 'importRecording')).toHaveLength(1);
  expect(await savedState(page)).toMatchObject({ subject: { recording: '/tmp/a.jsonl' } });
  expect(await violations(page)).toEqual([]);
});

it('serves what passed as a mock', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Serve as a Mock…' }).click();
  expect(await sent(page, 'serveMock')).toHaveLength(1);
  expect(await violations(page)).toEqual([]);
});

it('opens the log of calls where one is kept', async () => {
  const { ready } = inspectorReplies;
  const none = await open();
  expect(await none.getByRole('button', { name: 'Open Log of Calls' }).count()).toBe(0);
  const page = await open({
    replies: { ready: { ...ready, view: { ...ready.view, hasCallLog: true } } },
  });
  await page.getByRole('button', { name: 'Open Log of Calls' }).click();
  expect(await sent(page, 'openCallLog')).toHaveLength(1);
  expect(await violations(page)).toEqual([]);
});

it('shows the log of calls under the same filter, exports it, and sends nothing again', async () => {
  const page = await open({ replies: callLogReplies });
  await page.getByText('Calls: 4').waitFor();
  expect(await page.getByRole('button', { name: 'Handshake and Capabilities' }).count()).toBe(0);
  await page.getByRole('textbox', { name: 'Filter' }).fill('status:error duration:>500ms');
  await expect.poll(() => page.locator('.row').count()).toBe(1);
  await page.getByRole('textbox', { name: 'Filter' }).fill('');
  await page.locator('.row').first().click();
  await page.getByText('Said by Pi MCP').waitFor();
  expect(await page.getByRole('button', { name: 'Send Again' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Export as CSV…' }).click();
  await page.getByRole('button', { name: 'Export as JSON Lines…' }).click();
  await expect.poll(() => sent(page, 'exportRecording')).toEqual([{ to: 'csv' }, { to: 'file' }]);
  expect(await savedState(page)).toMatchObject({ subject: { calls: 'global#notes' } });
  expect(await faultsInAllLooks(page, 'call-log', [1100, 320])).toEqual([]);
});

it('filters as it is typed, and says what a part does not mean', async () => {
  const page = await open();
  const filter = page.getByRole('textbox', { name: 'Filter' });
  await filter.fill('status:error dir:sent');
  await expect.poll(() => page.locator('.row').count()).toBe(1);
  await filter.fill('method:tools/* duration:>1s');
  await expect.poll(() => page.locator('.row').count()).toBe(1);
  await filter.fill('needle');
  await expect.poll(() => sent(page, 'find')).toEqual([{ words: ['needle'] }]);
  await expect.poll(() => page.locator('.row').count()).toBe(2);
  await filter.fill('color:red');
  await page.getByText('There is no filter "color:".').waitFor();
});

it('shows a frame in colours, and all of one that was cut', async () => {
  const page = await open();
  await page.locator('#row-8').click();
  await page.locator('.json-key', { hasText: '"arguments"' }).waitFor();
  await page.getByRole('button', { name: 'Show All' }).click();
  await page.locator('.json-key', { hasText: '"whole"' }).waitFor();
  expect(await sent(page, 'whole')).toEqual([{ seq: 9 }]);
});

it('sends again what may be, and says why something may not', async () => {
  const page = await open();
  await page.locator('#row-8').click();
  const again = page.locator('vscode-button', { hasText: 'Send Again' });
  await again.click();
  await expect.poll(() => sent(page, 'replay')).toEqual([{ id: 8 }]);
  await page.locator('#row-10').click();
  await again.waitFor({ state: 'detached' });
  await page.close();
  const noReplay = 'The server does not offer this tool any more.';
  const refusing = await open({ replies: { details: { frames: [], noReplay } } });
  await refusing.locator('#row-8').click();
  await refusing.getByText(noReplay).waitFor();
  await refusing.close();
});

it('shows an answer that could not be taken as no success, and finds it', async () => {
  const page = await open();
  const faulty = page.locator('#row-9');
  expect(await faulty.textContent()).toContain('Answered with faults');
  expect(await faulty.textContent()).toContain('lists an item that is left out');
  await page.getByRole('textbox', { name: 'Filter' }).fill('status:faulty');
  await expect.poll(() => page.locator('.row').count()).toBe(1);
});

it('exports HTTP exchanges for other programs, where there are any', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Export HTTP Archive (HAR)…' }).click();
  await expect.poll(() => sent(page, 'exportRecording')).toEqual([{ to: 'har' }]);
  await page.close();
  const { ready } = inspectorReplies;
  const rows = ready.rows.filter(({ kind }) => kind !== 'http');
  const stdio = await open({ replies: { ready: { ...ready, rows } } });
  expect(await stdio.getByRole('button', { name: 'Export HTTP Archive (HAR)…' }).count()).toBe(0);
  await stdio.close();
});

it('pings, and says what went wrong', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Ping' }).click();
  await page.locator('.banner', { hasText: 'Completed in 1.2 ms' }).waitFor();
  await page.close();
  const failing = await open({ replies: { ping: { error: 'The server does not answer.' } } });
  await failing.getByRole('button', { name: 'Ping' }).click();
  await failing.getByRole('alert').getByText('does not answer').waitFor();
  await failing.close();
});

it('changes with what comes, and follows the end until the user looks elsewhere', async () => {
  const page = await open({
    replies: { ready: { ...inspectorReplies.ready, rows: manyRows(500) } },
  });
  await page.locator('#row-500').waitFor();
  const [row] = manyRows(1);
  const newest = { changed: [{ ...row, id: 501, target: 'the newest' }], removed: [1] };
  await tell(page, 'rows', newest, trafficScope);
  await page.getByText('the newest').waitFor();
  await page.locator('#timeline').evaluate((list) => {
    list.scrollTop = 0;
  });
  await page.locator('#row-2').waitFor();
  const unseen = { changed: [{ ...row, id: 502, target: 'unseen' }], removed: [] };
  await tell(page, 'rows', unseen, trafficScope);
  await expect.poll(() => page.locator('#filter-count').textContent()).toBe('501 of 501');
  expect(await page.locator('#row-502').count()).toBe(0);
});

it('is at its end when it opens, also below a strip of which much passes at once', async () => {
  const rows = manyRows(50).map((row) => ({ ...row, ms: 3_000 }));
  const page = await open({ replies: { ready: { ...inspectorReplies.ready, rows } } });
  await page.locator('#row-50').waitFor();
  const below = () =>
    page
      .locator('#timeline')
      .evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
  await expect.poll(below).toBeLessThan(1);
});

it('draws what is in sight of 10,000 entries, and no more', async () => {
  const rows = manyRows(10_000);
  const page = await open({ replies: { ready: { ...inspectorReplies.ready, rows } } });
  await page.locator('#row-10000').waitFor();
  for (const at of [0, 3_000, 7_777]) {
    await page.locator('#timeline').evaluate((list, top) => {
      list.scrollTop = top;
    }, at * 26);
    await page.locator(`#row-${at + 5}`).waitFor();
    expect(await page.locator('.row').count()).toBeLessThan(60);
  }
});

it('shows the time of entries as a strip, by keys as by pointer', async () => {
  const page = await open({
    replies: { ready: { ...inspectorReplies.ready, rows: manyRows(10_000) } },
  });
  const count = page.locator('#filter-count');
  const summary = page.locator('#strip-summary');
  const strip = page.locator('#strip');
  await summary.getByText(/^Entries: 10,000 in /).waitFor();
  await strip.focus();
  for (const key of ['+', '+', '+']) {
    await page.keyboard.press(key);
  }
  await expect.poll(() => summary.textContent()).not.toMatch(/^Entries: 10,000/);
  await page.keyboard.press('Home');
  await summary.getByText(/from \d\d:00:00\.000 to/).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => count.textContent()).toMatch(/^1,\d{3} of 10,000$/);
  await summary.getByText('The list shows').waitFor();
  await shoot(page, 'inspector-strip');
  await page.keyboard.press('Escape');
  await expect.poll(() => count.textContent()).toBe('10,000 of 10,000');
  await page.keyboard.press('0');
  await summary.getByText(/^Entries: 10,000 in /).waitFor();
  const box = await strip.locator('canvas').boundingBox();
  if (!box) {
    throw new Error('The strip is not there');
  }
  const at = (share: number) => [box.x + box.width * share, box.y + 10] as const;
  await page.mouse.move(...at(0.25));
  await page.mouse.down();
  await page.mouse.move(...at(0.5), { steps: 5 });
  await page.mouse.up();
  await expect.poll(() => count.textContent()).toMatch(/^[23],\d{3} of 10,000$/);
  await page.getByRole('button', { name: 'List All Times' }).click();
  await page.mouse.move(...at(0.5));
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -200);
  await page.keyboard.up('Control');
  await expect.poll(() => summary.textContent()).not.toMatch(/^Entries: 10,000/);
  expect(await page.getByRole('button', { name: 'Zoom to Fit' }).isEnabled()).toBe(true);
});

it('says what the strip shows when the user looks elsewhere, and keeps the keys there', async () => {
  const page = await open();
  await page.locator('#strip').focus();
  await page.keyboard.press('+');
  await expect.poll(() => spoken(page)).toMatch(/^Entries: /);
  await page.getByRole('button', { name: 'Filter to Visible Range' }).press('Enter');
  await expect.poll(() => spoken(page)).toMatch(/The list shows/);
  const focused = () => page.evaluate(() => document.activeElement?.id);
  await page.getByRole('button', { name: 'List All Times' }).press('Enter');
  await expect.poll(focused).toBe('strip');
  await page.getByRole('button', { name: 'Zoom to Fit' }).press('Enter');
  await expect.poll(focused).toBe('strip');
});

it('lists what comes after everything was cleared, whatever time was chosen before', async () => {
  const page = await open();
  await page.locator('#strip').focus();
  await page.keyboard.press('+');
  await page.keyboard.press('Enter');
  await page.locator('#strip-summary', { hasText: 'The list shows' }).waitFor();
  const [first, ...more] = inspectorReplies.ready.rows;
  const removed = [first, ...more].flatMap((row) => row?.id ?? []);
  await tell(page, 'rows', { changed: [], removed }, trafficScope);
  await page.locator('.row').first().waitFor({ state: 'detached' });
  const next = { ...first, id: 900, t: (first?.t ?? 0) + 3_600_000 };
  await tell(page, 'rows', { changed: [next], removed: [] }, trafficScope);
  await page.locator('#row-900').waitFor();
  expect(await page.locator('#strip-summary').textContent()).toMatch(/^Entries: 1 in/);
});

it('opens the entry of a bar, and has words for all that the strip shows', async () => {
  const page = await open();
  const canvas = page.locator('#strip canvas');
  const box = await canvas.boundingBox();
  await canvas.click({ position: { x: (box?.width ?? 0) * 0.6, y: 16 } });
  await expect.poll(() => sent(page, 'details')).toEqual([{ id: 8 }]);
  await page.locator('.frame').first().waitFor();
  const words = await page.locator('#strip-summary').textContent();
  expect(words).toMatch(/ failed: 1\. The longest took [\d.]+ s: tools\/call\.$/);
  await page.getByRole('textbox', { name: 'Filter' }).fill('status:ok');
  await page.locator('#strip-summary', { hasText: 'failed: 0' }).waitFor();
});

it.each([280, 1100])('lays overlapping entries out below each other: %i px', async (width) => {
  const call = (id: number, ms: number, rest: object = {}) => ({
    ...manyRows(1)[0],
    id,
    kind: 'request',
    dir: 'sent',
    method: 'tools/call',
    target: `tool ${id}`,
    t: 1_000_000 + id * 40,
    ms,
    status: 'ok',
    ...rest,
  });
  const rows = [
    ...Array.from({ length: 12 }, (_one, id) => call(id, 600, id === 9 ? { status: 'error' } : {})),
    call(30, 300, { dir: 'received' }),
    call(31, 200, { dir: 'received', status: 'cancelled' }),
    call(40, 500),
    call(42, 100),
  ];
  const page = await open({
    width,
    replies: { ...inspectorReplies, ready: { ...inspectorReplies.ready, rows } },
  });
  const canvas = page.locator('#strip canvas');
  await expect.poll(async () => (await canvas.boundingBox())?.height).toBeGreaterThan(90);
  const box = await canvas.boundingBox();
  // of 2,100 ms, the second one lasts from 40 to 640
  await canvas.click({ position: { x: (box?.width ?? 0) * 0.2, y: 16 } });
  await expect.poll(() => sent(page, 'details')).toEqual([{ id: 1 }]);
  await shoot(page, `inspector-lines-${width}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    width,
  );
});

it('breaks no rule of axe and is cut nowhere, in every theme and width', async () => {
  const page = await open();
  await page.locator('#row-8').click();
  await page.locator('.frame').first().waitFor();
  for (const tab of ['Messages', 'Handshake and Capabilities']) {
    await page.getByRole('button', { name: tab }).click();
    const picture = `inspector-${tab.slice(0, 4)}`;
    expect(await faultsInAllLooks(page, picture, [1100, 420])).toEqual([]);
  }
});
