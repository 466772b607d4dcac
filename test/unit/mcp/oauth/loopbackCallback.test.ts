import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  LoopbackCallback,
  readPastedRedirect,
} from '../../../../src/mcp/oauth/loopbackCallback.js';

const never = new AbortController().signal;
let callback: LoopbackCallback;

beforeEach(async () => {
  callback = await LoopbackCallback.listen();
});

afterEach(() => callback.dispose());

/** HTTP status and page. */
function get(
  url: string,
  headers: Record<string, string> = {},
  path?: string,
): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const options = path === undefined ? { headers } : { headers, path };
    const outgoing = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => resolve([response.statusCode ?? 0, text]));
    });
    outgoing.on('error', reject).end();
  });
}

describe('a loopback callback', () => {
  it('listens on 127.0.0.1 only and says where', () => {
    expect(callback.redirectUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  });

  it('hands over the query of the return that carries the state', async () => {
    const returned = callback.wait('right', never);
    const [status, page] = await get(`${callback.redirectUrl}?state=right&code=c0de`);
    expect(status).toBe(200);
    expect(page).not.toContain('c0de');
    expect((await returned).get('code')).toBe('c0de');
  });

  it.each(['', '?code=c', '?code=c&state=wrong', '?code=c&state=righ'])(
    'ignores a return with %s and keeps waiting',
    async (query) => {
      const returned = callback.wait('right', never);
      expect((await get(callback.redirectUrl + query))[0]).toBe(400);
      await get(`${callback.redirectUrl}?state=right&code=late`);
      expect((await returned).get('code')).toBe('late');
    },
  );

  // what is thrown while a request is answered ends the command line
  it.each(['//', '///x', 'http://[/'])('has nothing at %s, which is no address', async (path) => {
    expect((await get(callback.redirectUrl, {}, path))[0]).toBe(404);
  });

  it('takes one return only', async () => {
    const returned = callback.wait('right', never);
    const url = `${callback.redirectUrl}?state=right&code=c`;
    await get(url);
    await returned;
    expect((await get(url))[0]).toBe(400);
  });

  it('answers to no other name, path or page of another site', async () => {
    void callback.wait('right', never);
    const url = `${callback.redirectUrl}?state=right&code=c`;
    expect((await get(url, { host: 'evil.example' }))[0]).toBe(404);
    expect((await get(url.replace('/callback', '/other')))[0]).toBe(404);
  });

  it('repeats nothing of what it was sent', async () => {
    void callback.wait('right', never);
    const [, page] = await get(`${callback.redirectUrl}?state=right&error=%3Cscript%3E`);
    expect(page).not.toContain('script');
  });

  it('stops waiting when it is told to', async () => {
    const cancellation = new AbortController();
    const returned = callback.wait('right', cancellation.signal);
    cancellation.abort(new Error('enough'));
    await expect(returned).rejects.toThrow('enough');
    expect((await get(`${callback.redirectUrl}?state=right&code=c`))[0]).toBe(400);
  });

  it('takes another port when the preferred one is in use, unless it must not', async () => {
    const other = await LoopbackCallback.listen(callback.redirectUrl);
    expect(other.redirectUrl).not.toBe(callback.redirectUrl);
    other.dispose();
    await expect(LoopbackCallback.listen(callback.redirectUrl, true)).rejects.toMatchObject({
      code: 'callback_port',
    });
  });
});

describe('a pasted address', () => {
  it('is read when it belongs to the sign-in', () => {
    const query = readPastedRedirect(' http://127.0.0.1:1/callback?state=s&code=c ', 's');
    expect(query.get('code')).toBe('c');
  });

  it.each(['nonsense', 'http://127.0.0.1:1/callback?state=other&code=c', 'http://x.example/'])(
    'is refused: %s',
    (text) => {
      expect(() => readPastedRedirect(text, 's')).toThrow(/does not belong/);
    },
  );
});

describe('ports', () => {
  it('are ten, of which another is taken when one is in use', async () => {
    const { redirectUrls } = callback;
    expect(new Set(redirectUrls.map((url) => new URL(url).port)).size).toBe(10);
    expect(redirectUrls[0]).toBe(callback.redirectUrl);
    const other = await LoopbackCallback.listen();
    expect(redirectUrls.slice(1)).toContain(other.redirectUrl);
    expect([...other.redirectUrls].sort()).toEqual([...redirectUrls].sort());
    other.dispose();
  });

  it('are any when all ten are in use, and one where the entry names it', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => LoopbackCallback.listen()));
    const extra = all.find(({ redirectUrls }) => redirectUrls.length === 1);
    expect(extra?.redirectUrls).toEqual([extra?.redirectUrl]);
    for (const one of all) {
      one.dispose();
    }
    const fixed = await LoopbackCallback.listen(extra?.redirectUrl, true);
    expect(fixed.redirectUrls).toEqual([extra?.redirectUrl]);
    fixed.dispose();
  });
});
