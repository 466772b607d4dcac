/** Apps that reach for the network from a document in a frame of their own, where nothing was taken away yet. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startDatagramListener } from '../fixtures/datagramListener.js';
import { useAppPage } from '../helpers/pages/appPage.js';

const shown = useAppPage();
type Listener = Awaited<ReturnType<typeof startDatagramListener>>;
let datagrams: Listener;
let later: Listener;

beforeAll(async () => {
  [datagrams, later] = await Promise.all([startDatagramListener(), startDatagramListener()]);
});
beforeEach(() => {
  datagrams.heard.length = 0;
  later.heard.length = 0;
});
afterAll(() => Promise.all([datagrams.close(), later.close()]));

/** A script that talks to a listener as browsers talk to each other, without a quotation mark. */
const peersTo = (address: string) => `(() => {
  const peer = new RTCPeerConnection({ iceServers: [{ urls: \`stun:${address}\` }] });
  peer.createDataChannel(\`a\`);
  peer.createOffer().then((offer) => peer.setLocalDescription(offer));
})()`;
const script = (peers: string) => `<script>${peers}</script>`;
/** Of a script: its own end would be that of the element around it. */
const text = (value: string) => JSON.stringify(value).replaceAll('</', '<\\/');
const nested = (peers: string) => `<iframe src${''}doc="${script(peers)}"></iframe>`;
const word = `'src' + 'doc'`;
const make = (tag: string) => `const frame = document.createElement('${tag}');`;
const append = 'document.documentElement.append(frame);';

/** What an app does → its document, which runs a script. */
const ways: readonly (readonly [what: string, document: (peers: string) => string])[] = [
  ['a script of its own', script],
  ['a frame that its document has', nested],
  ['a frame in other letters', (peers) => nested(peers).replace('srcdoc', 'SRCDoc')],
  ['a frame in a drawing', (peers) => `<svg><foreignObject>${nested(peers)}</foreignObject></svg>`],
  [
    'a frame in a shadow',
    (peers) => `<p><template shadowrootmode="closed">${nested(peers)}</template></p>`,
  ],
  [
    'a property',
    (peers) =>
      `<script>${make('iframe')} frame[${word}] = ${text(script(peers))}; ${append}</script>`,
  ],
  [
    'an attribute',
    (peers) =>
      `<script>${make('iframe')} frame.setAttribute(${word}, ${text(script(peers))}); ${append}</script>`,
  ],
  [
    'an attribute of another element',
    (peers) => `<script>${make('iframe')}
      const other = document.createElement('p');
      other.setAttribute(${word}, ${text(script(peers))});
      frame.attributes.setNamedItem(other.removeAttributeNode(other.attributes[0]));
      ${append}</script>`,
  ],
  [
    'an attribute that gets its text later',
    (peers) => `<script>${make('iframe')}
      const attribute = document.createAttribute(${word});
      frame.setAttributeNode(attribute);
      ${append}
      attribute.textContent = ${text(script(peers))};</script>`,
  ],
  [
    'an element of another document',
    (
      peers,
    ) => `<script>const frame = new Document().createElementNS('http://www.w3.org/1999/xhtml', 'iframe');
      frame.setAttribute(${word}, ${text(script(peers))}); ${append}</script>`,
  ],
  [
    'text that becomes elements',
    (peers) =>
      `<p id="p"></p><script>p.innerHTML = ${text(nested(peers))}.replace('-', '')</script>`,
  ],
  [
    'text whose rule was taken away',
    (peers) => `<p id="p"></p><script>
      String.prototype.replace = String.prototype.replaceAll = function () { return String(this); };
      RegExp.prototype.exec = () => null;
      RegExp.prototype.test = () => false;
      Array.prototype[Symbol.iterator] = function* () {};
      p.innerHTML = '<iframe src' + 'doc=' + ${text(`"${script(peers)}"></iframe>`)}</script>`,
  ],
  [
    'text that is written in parts',
    (peers) =>
      `<script>document.write('<iframe src'); document.write('doc=' + ${text(`"${script(peers)}"></iframe>`)})</script>`,
  ],
  [
    'text that the document goes on with',
    (peers) => `<script>document.write('<iframe src')</script>doc="${script(peers)}"></iframe>`,
  ],
  [
    'a document that it parses',
    (
      peers,
    ) => `<script>const parsed = new DOMParser().parseFromString('<iframe src' + 'doc=' + ${text(`"${script(peers)}"></iframe>`)}, 'text/html');
      document.documentElement.append(parsed.querySelector('iframe'))</script>`,
  ],
  [
    'a document that a declared server sends',
    (peers) => {
      shown.counting.answers.set('/frame.html', nested(peers));
      return `<script>const request = new XMLHttpRequest();
      request.open('GET', '${shown.counting.origin}/frame.html');
      request.responseType = 'document';
      request.onload = () => document.documentElement.append(request.response.querySelector('iframe'));
      request.send()</script>`;
    },
  ],
  ['an address that is a script', (peers) => `<iframe src="javascript:${peers}"></iframe>`],
  [
    'a script as address of a frame in a set',
    (peers) => `<script>${make('frame')} frame.src = 'javascript:' + ${text(peers)};
      const set = document.createElement('frameset'); set.append(frame); document.documentElement.append(set)</script>`,
  ],
  [
    'data',
    (peers) =>
      `<script>${make('iframe')} frame.src = 'data:text/html,' + ${text(script(peers))}; ${append}</script>`,
  ],
  [
    'an object',
    (peers) =>
      `<script>${make('object')} frame.data = 'data:text/html,' + ${text(script(peers))}; ${append}</script>`,
  ],
  [
    'a blob',
    (peers) => `<script>${make('iframe')}
      frame.src = URL.createObjectURL(new Blob([${text(script(peers))}], { type: 'text/html' })); ${append}</script>`,
  ],
];

const end = () => `<script>addEventListener('load', () => {
  const frame = document.createElement('iframe');
  // what was put into the document before it has had its turn
  frame.onload = () => fetch('${shown.counting.origin}/end', { mode: 'no-cors' });
  document.documentElement.append(frame);
})</script>`;

it('knows ways that lead out where nothing of ours stands', async () => {
  const listeners = await Promise.all(ways.map(startDatagramListener));
  const documents = ways.map(([, document], at) => document(peersTo(listeners[at]?.address ?? '')));
  await shown.openBare(documents);
  const silent = () => ways.flatMap(([way], at) => (listeners[at]?.heard.length ? [] : [way]));
  // all of them at once, on a machine that may be busy
  await expect.poll(silent, { timeout: 100_000 }).toEqual([]);
  await shown.page.goto('about:blank');
  await Promise.all(listeners.map((listener) => listener.close()));
});

it.each(ways)('does nothing from %s', async (_, document) => {
  await shown.open(`${end()}${document(peersTo(datagrams.address))}`, [shown.counting.origin]);
  await expect.poll(() => shown.counting.paths).toContain('/end');
  // what the app sent is on its way: a page without a guard sends after it
  const other = await shown.page.context().newPage();
  await other.evaluate(peersTo(later.address));
  await expect.poll(() => later.heard.length).toBeGreaterThan(0);
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
