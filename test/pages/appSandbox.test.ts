/** The page around an app in a real browser, with the real bridge and a real server; VS Code's own frames apart. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useAppPage } from '../helpers/pages/appPage.js';
import { repository } from '../workbench/paths.mjs';

const html = readFileSync(join(repository, 'test/fixtures/servers/shopApp.html'), 'utf8');
const shown = useAppPage();

it('runs the app, and lets it reach nothing', async () => {
  await shown.open(html);
  await shown.frame.getByText('Ada: 12.5').waitFor();
  const probe = shown.frame.locator('#probe');
  await probe.getByText('top:').waitFor();
  const lines = ((await probe.textContent()) ?? '').split('\n');
  expect(lines.filter((line) => line.endsWith('worked'))).toEqual([]);
  expect(shown.counting.paths).toEqual([]);
  expect(await shown.frame.locator('html').evaluate(() => document.compatMode)).toBe('CSS1Compat');
  expect(shown.page.url()).toBe('http://page.localhost/');
  expect(await shown.page.getByText('forged').count()).toBe(0);
  await shown.frame.getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => shown.frame.getByRole('button', { name: 'Leave' }).count()).toBe(0);
  expect(shown.counting.paths).toEqual([]);
});

it.each([
  ['a comment that ends with a bang', '<!-- a --!>', '<!-- --><!doctype html>'],
  ['a comment that ends at once', '<!-->', '--><!doctype html>'],
  ['a comment that ends after a dash', '<!--->', '--><!doctype html>'],
  ['two comments', '<!-- a --><!----!>', '--><!doctype html>'],
  ['a doctype with a bracket in it', '<!doctype html "a>', '">'],
])('takes connections between browsers from the first script behind %s', async (_, head, tail) => {
  const first = "<script>document.title = typeof RTCPeerConnection + '!'</script>";
  await shown.open(`${head}${first}${tail}<p>shown</p>`);
  await shown.frame.getByText('shown').waitFor();
  const title = await shown.frame.locator('html').evaluate(() => document.title);
  expect(title).toBe('undefined!');
});

it('lets the app connect to what its server declared, and to nothing else', async () => {
  await shown.open(html, [shown.counting.origin]);
  await shown.frame.locator('#probe').getByText('top:').waitFor();
  await expect
    .poll(() => new Set(shown.counting.paths))
    .toEqual(new Set(['/fetch', '/xhr', '/beacon']));
});

it('cuts off an app that does not stop sending, and says what was too large', async () => {
  await shown.open(html);
  await shown.frame.getByText('Ada: 12.5').waitFor();
  await shown.frame.getByRole('button', { name: 'Flood' }).click();
  await expect.poll(() => shown.dropped).toEqual(['flood']);
  expect(await shown.page.locator('iframe').count()).toBe(0);
  await shown.open(
    `<script>parent.postMessage({ jsonrpc: '2.0', method: 'x'.repeat(2e6) }, '*')</script>`,
  );
  await expect.poll(() => shown.dropped).toEqual(['size']);
});

it.each([
  ['a buffer', 'new ArrayBuffer(3e7)'],
  ['bytes', 'new Uint8Array(3e7)'],
  ['a map', "new Map([['a', 'x'.repeat(2e6)]])"],
  ['a list of nothing', 'Object.assign([], { length: 4e9 })'],
  ['what holds itself', '((one) => (one.self = one))({})'],
])('passes on no message with %s in it', async (_what, value) => {
  const send = `parent.postMessage({ jsonrpc: '2.0', method: 'ping', params: { value: ${value} } }, '*');`;
  await shown.open(`<script>${send}</script>`);
  await expect.poll(() => shown.dropped).toEqual(['size']);
});

it('gives the app as much height as it says it needs, within bounds', async () => {
  const wish = `<script>parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/size-changed', params: { height: 1e9 } }, '*')</script>`;
  await shown.open(wish);
  await expect
    .poll(() => shown.page.locator('iframe').evaluate((frame) => frame.style.height))
    .toBe('8000px');
});

it('tells the app the theme, at first and as it changes', async () => {
  await shown.open(html);
  await shown.frame.locator('html[data-theme=dark]').waitFor();
  await shown.page.locator('body').evaluate((body) => body.classList.add('vscode-light'));
  await shown.frame.locator('html[data-theme=light]').waitFor();
});

it('covers the app with the reason for as long as it may do nothing', async () => {
  await shown.open(html);
  await shown.frame.getByText('Ada: 12.5').waitFor();
  const frame = shown.page.locator('iframe');
  const isInert = () => frame.evaluate((one) => one.closest('[inert]') !== null);
  shown.setStatus({ kind: 'frozen', notice: 'The server is stopped' });
  await shown.page.getByRole('status').getByText('The server is stopped').waitFor();
  expect(await isInert()).toBe(true);
  shown.setStatus({ kind: 'live' });
  await shown.page.getByText('The server is stopped').waitFor({ state: 'detached' });
  expect(await isInert()).toBe(false);
});
