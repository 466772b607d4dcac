import { expect, it } from 'vitest';
import { createIconReader } from '../../../../../src/mcp/connection/clientEngine/icons.js';
import { httpLaunch } from '../../../../fixtures/connections.js';

const png = { 'content-type': 'image/png; charset=binary' };
const launch = httpLaunch('https://shop.example/mcp', { headers: { authorization: 'secret' } });

/** Reads one address; `requests` are those that went out. */
async function read(address: string, response: () => Response, url = launch.url) {
  const requests: { readonly url: string; readonly init: RequestInit | undefined }[] = [];
  const reader = createIconReader({ ...launch, url }, async (input, init) => {
    requests.push({ url: String(input), init });
    return response();
  });
  return { image: await reader(address), requests };
}

it('loads an icon of the server itself, without its credentials', async () => {
  const { image, requests } = await read(
    'https://shop.example/icon.png',
    () => new Response('icon', { headers: png }),
  );
  expect(image).toBe('data:image/png;base64,aWNvbg==');
  expect(requests).toHaveLength(1);
  expect(JSON.stringify(requests[0]?.init)).not.toContain('secret');
  expect(requests[0]?.init).toMatchObject({ credentials: 'omit', redirect: 'manual' });
});

it.each([
  ['another host', 'https://icons.example/icon.png', 'https://shop.example/mcp'],
  ['another port', 'https://shop.example:8443/icon.png', 'https://shop.example/mcp'],
  ['no encryption', 'http://127.0.0.1:80/icon.png', 'http://127.0.0.1:80/mcp'],
])('asks nobody for an icon of %s', async (_, address, url) => {
  const { image, requests } = await read(
    address,
    () => new Response('icon', { headers: png }),
    url,
  );
  expect(image).toBeUndefined();
  expect(requests).toEqual([]);
});

it.each<readonly [string, () => Response]>([
  [
    'a redirect',
    () => new Response(null, { status: 302, headers: { location: 'https://x.example' } }),
  ],
  ['an error', () => new Response('no', { status: 404, headers: png })],
  ['a page', () => new Response('<script>', { headers: { 'content-type': 'text/html' } })],
  ['too much', () => new Response('x'.repeat(100_000), { headers: png })],
  ['a broken connection', () => Response.error()],
])('does without an icon when it is %s', async (_, response) => {
  expect((await read('https://shop.example/icon.png', response)).image).toBeUndefined();
});
