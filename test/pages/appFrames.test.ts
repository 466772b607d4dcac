/** Apps that reach for the network from a document in a frame of their own, where nothing was taken away yet. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startDatagramListener } from '../fixtures/datagramListener.js';
import { useAppPage } from '../helpers/pages/appPage.js';

const shown = useAppPage();
let datagrams: Awaited<ReturnType<typeof startDatagramListener>>;

beforeAll(async () => {
  datagrams = await startDatagramListener();
});
beforeEach(() => {
  datagrams.heard.length = 0;
});
afterAll(() => datagrams.close());

/** Talks to the listener as browsers talk to each other, without a quotation mark. */
const peers = () => `(() => {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: \`stun:${datagrams.address}\` }] });
  peer.createDataChannel(\`a\`);
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
})()`;
const script = () => `<script>${peers()}</script>`;
/** Of a script: its own end would be that of the element around it. */
const text = (value: string) => JSON.stringify(value).replaceAll('</', '<\\/');
const nested = () => `<iframe src${''}doc="${script()}"></iframe>`;
const word = `'src' + 'doc'`;
const make = (tag: string) => `const frame = document.createElement('${tag}');`;
const append = 'document.documentElement.append(frame);';

/** What an app does → its document. */
const ways: readonly (readonly [what: string, document: () => string])[] = [
  ['a script of its own', script],
  ['a frame that its document has', nested],
  ['a frame in other letters', () => nested().replace('srcdoc', 'SRCDoc')],
  ['a frame in a drawing', () => `<svg><foreignObject>${nested()}</foreignObject></svg>`],
  ['a frame in a shadow', () => `<p><template shadowrootmode="closed">${nested()}</template></p>`],
  [
    'a property',
    () => `<script>${make('iframe')} frame[${word}] = ${text(script())}; ${append}</script>`,
  ],
  [
    'an attribute',
    () =>
      `<script>${make('iframe')} frame.setAttribute(${word}, ${text(script())}); ${append}</script>`,
  ],
  [
    'an attribute of another element',
    () => `<script>${make('iframe')}
      const other = document.createElement('p');
      other.setAttribute(${word}, ${text(script())});
      frame.attributes.setNamedItem(other.removeAttributeNode(other.attributes[0]));
      ${append}</script>`,
  ],
  [
    'an attribute that gets its text later',
    () => `<script>${make('iframe')}
      const attribute = document.createAttribute(${word});
      frame.setAttributeNode(attribute);
      ${append}
      attribute.textContent = ${text(script())};</script>`,
  ],
  [
    'an element of another document',
    () => `<script>const frame = new Document().createElementNS('http://www.w3.org/1999/xhtml', 'iframe');
      frame.setAttribute(${word}, ${text(script())}); ${append}</script>`,
  ],
  [
    'text that becomes elements',
    () => `<p id="p"></p><script>p.innerHTML = ${text(nested())}.replace('-', '')</script>`,
  ],
  [
    'text whose rule was taken away',
    () => `<p id="p"></p><script>
      String.prototype.replace = String.prototype.replaceAll = function () { return String(this); };
      RegExp.prototype.exec = () => null;
      RegExp.prototype.test = () => false;
      Array.prototype[Symbol.iterator] = function* () {};
      p.innerHTML = '<iframe src' + 'doc=' + ${text(`"${script()}"></iframe>`)}</script>`,
  ],
  [
    'text that is written in parts',
    () =>
      `<script>document.write('<iframe src'); document.write('doc=' + ${text(`"${script()}"></iframe>`)})</script>`,
  ],
  [
    'text that the document goes on with',
    () => `<script>document.write('<iframe src')</script>doc="${script()}"></iframe>`,
  ],
  [
    'a document that it parses',
    () => `<script>const parsed = new DOMParser().parseFromString('<iframe src' + 'doc=' + ${text(`"${script()}"></iframe>`)}, 'text/html');
      document.documentElement.append(parsed.querySelector('iframe'))</script>`,
  ],
  [
    'a document that a declared server sends',
    () => `<script>const request = new XMLHttpRequest();
      request.open('GET', '${shown.counting.origin}/frame.html');
      request.responseType = 'document';
      request.onload = () => document.documentElement.append(request.response.querySelector('iframe'));
      request.send()</script>`,
  ],
  ['an address that is a script', () => `<iframe src="javascript:${peers()}"></iframe>`],
  [
    'a script as address of a frame in a set',
    () => `<script>${make('frame')} frame.src = 'javascript:' + ${text(peers())};
      const set = document.createElement('frameset'); set.append(frame); document.documentElement.append(set)</script>`,
  ],
  [
    'data',
    () =>
      `<script>${make('iframe')} frame.src = 'data:text/html,' + ${text(script())}; ${append}</script>`,
  ],
  [
    'an object',
    () =>
      `<script>${make('object')} frame.data = 'data:text/html,' + ${text(script())}; ${append}</script>`,
  ],
  [
    'a blob',
    () => `<script>${make('iframe')}
      frame.src = URL.createObjectURL(new Blob([${text(script())}], { type: 'text/html' })); ${append}</script>`,
  ],
];

const end = () => `<script>addEventListener('load', () => {
  const frame = document.createElement('iframe');
  // what was put into the document before it has had its turn
  frame.onload = () => fetch('${shown.counting.origin}/end', { mode: 'no-cors' });
  document.documentElement.append(frame);
})</script>`;

it.each(ways)('does nothing from %s', async (_, document) => {
  shown.counting.answers.set('/frame.html', nested());
  await shown.openBare(document());
  await expect.poll(() => datagrams.heard.length).toBeGreaterThan(0);
  await shown.page.goto('about:blank');
  datagrams.heard.length = 0;
  await shown.open(`${end()}${document()}`, [shown.counting.origin]);
  await expect.poll(() => shown.counting.paths).toContain('/end');
  expect(datagrams.heard).toEqual([]);
});

it('draws what an app writes, and runs what it has for a click', async () => {
  await shown.open(`<p id="p" onclick="this.title = 'clicked'">text</p><script>
    p.innerHTML = '<b onclick="this.title = 1">bold</b>';
    const more = document.createElement('script');
    more.text = 'p.append("more")';
    document.documentElement.append(more);
  </script>`);
  await shown.frame.getByText('boldmore').click();
  expect(await shown.frame.locator('p').getAttribute('title')).toBe('clicked');
  await shown.frame.getByText('bold', { exact: true }).click();
  expect(await shown.frame.locator('b').getAttribute('title')).toBe('1');
});
