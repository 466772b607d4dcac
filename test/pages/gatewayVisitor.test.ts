/** A page in a real browser that tries to use a gateway of this machine, also under a name that was rebound to it. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../../src/gateway/gateway.js';
import { everything } from '../helpers/coreHarness.js';
import { GatewayHarness } from '../helpers/gateway/gatewayHarness.js';
import { usePages } from '../helpers/pages/usePages.js';

const pages = usePages();
let harness: GatewayHarness;
let gateway: Gateway;
let site: Server;
/** Tools that were called through the gateway. */
let called: string[];

beforeAll(async () => {
  called = [];
  harness = await GatewayHarness.create({ everything });
  gateway = await harness.start({
    approve: async ({ tool }) => {
      called.push(tool);
    },
  });
  site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<p>evil</p>');
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
});

afterAll(async () => {
  await harness.dispose();
  await new Promise((resolve) => site.close(resolve));
});

const body = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'everything__echo',
    arguments: { message: 'canary' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'page', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/** What each request of the page came to. */
function tryAll(page: Page, url: string): Promise<readonly string[]> {
  const wire = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'everything__echo',
  };
  return page.evaluate(
    ([address, text, token, headers]) => {
      const authorization = `Bearer ${token}`;
      const attempts: readonly RequestInit[] = [
        { method: 'POST', body: text, headers: { ...headers, authorization } },
        { method: 'POST', body: text, headers },
        { method: 'POST', body: text, mode: 'no-cors' },
        { method: 'GET', headers: { authorization } },
        { method: 'GET', mode: 'no-cors' },
      ];
      return Promise.all(
        attempts.map((attempt) =>
          fetch(address, attempt).then(
            async (response) => `${response.status} ${await response.text()}`,
            () => 'blocked',
          ),
        ),
      );
    },
    [url, body, gateway.tokens.use, wire] as const,
  );
}

/** Nothing of the gateway can be read from it. */
const harmless = /^(?:blocked|0 |403 .*)$/;

describe('a page', () => {
  it('of another origin reaches nothing, not even with the token', async () => {
    const page = await pages.browser.newPage();
    await page.goto(`http://evil.example:${(site.address() as AddressInfo).port}/`);
    for (const outcome of await tryAll(page, gateway.url)) {
      expect(outcome).toMatch(harmless);
    }
    expect(called).toEqual([]);
  });

  it('whose name was rebound to this machine is of the origin of the gateway, and reaches nothing', async () => {
    const page = await pages.browser.newPage();
    const rebound = `http://evil.example:${gateway.port}`;
    const answer = await page.goto(`${rebound}/mcp`);
    expect(answer?.status()).toBe(403);
    for (const outcome of await tryAll(page, `${rebound}/mcp`)) {
      expect(outcome).toMatch(harmless);
    }
    expect(called).toEqual([]);
  });

  it('in a sandboxed frame reaches nothing', async () => {
    const page = await pages.browser.newPage();
    await page.goto('data:text/html,<p>evil</p>');
    for (const outcome of await tryAll(page, gateway.url)) {
      expect(outcome).toMatch(harmless);
    }
    expect(called).toEqual([]);
  });

  it('can do what a program can where the program has the token: the control', async () => {
    const client = await harness.connect(gateway);
    await client.callTool({ name: 'everything__echo', arguments: { message: 'hi' } });
    expect(called).toEqual(['echo']);
  });
});
