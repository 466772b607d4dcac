/** What a program with the token cannot exceed either. The bounds of bodies and of refused requests are among the attacks. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Gateway } from '../../src/gateway/gateway.js';
import { gatewayLimits } from '../../src/gateway/http/limits.js';
import { FakeClock } from '../helpers/fakes/fakeClock.js';
import {
  fixtureServer,
  GatewayHarness,
  headersOf,
  post,
} from '../helpers/gateway/gatewayHarness.js';

let harness: GatewayHarness;
let gateway: Gateway;

beforeAll(async () => {
  harness = await GatewayHarness.create({ offering: fixtureServer('offering') });
});

beforeEach(async () => {
  gateway = await harness.start();
});

afterAll(async () => {
  await harness.dispose();
});

it('takes so many messages at once and no more', async () => {
  const message = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const batch = (length: number) =>
    post(
      gateway,
      Array.from({ length }, () => message),
    );
  expect(await (await batch(gatewayLimits.batch)).text()).not.toContain('too large');
  const refused = await batch(gatewayLimits.batch + 1);
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('The batch is too large.'),
  ]);
});

it('answers so many requests a second, says when to come again, and answers then', async () => {
  const clock = new FakeClock();
  const timed = await harness.start({ clock });
  const count = gatewayLimits.rate.burst + 10;
  const socket = connect(timed.port, '127.0.0.1');
  const { Authorization } = headersOf(timed);
  const head = `GET /mcp/nothing HTTP/1.1\r\nHost: 127.0.0.1:${timed.port}\r\nAuthorization: ${Authorization}\r\n`;
  // one behind the other without waiting: nothing comes quicker
  socket.write(`${head}\r\n`.repeat(count - 1));
  socket.write(`${head}Connection: close\r\n\r\n`);
  let text = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    text += chunk;
  }
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
  expect(statuses.indexOf('429')).toBe(gatewayLimits.rate.burst);
  expect(statuses.filter((status) => status === '404')).toHaveLength(gatewayLimits.rate.burst);
  expect(statuses.filter((status) => status === '429')).toHaveLength(10);
  expect(text).toMatch(/HTTP\/1\.1 429[^{]*retry-after: 1\r\n/i);
  const ask = async () => {
    const response = await fetch(`${timed.url}/nothing`, { headers: headersOf(timed) });
    await response.text();
    return response.status;
  };
  expect(await ask()).toBe(429);
  clock.advance(1000);
  expect(await ask()).toBe(404);
});

it('keeps so many subscriptions for each session', async () => {
  const client = await harness.connect(gateway, 'offering');
  for (let count = 0; count < gatewayLimits.subscriptions; count++) {
    await client.subscribeResource({ uri: `weather://${count}` });
  }
  await expect(client.subscribeResource({ uri: 'weather://last' })).rejects.toThrow(
    'Too many subscriptions',
  );
  await client.unsubscribeResource({ uri: 'weather://0' });
  await client.subscribeResource({ uri: 'weather://last' });
});

it('does not wait for a head that never ends', async () => {
  const socket = connect(gateway.port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.write('GET /mcp HTTP/1.1\r\nHost: ');
  const startedAt = performance.now();
  await once(socket, 'close');
  expect(text).toMatch(/^HTTP\/1\.1 408/);
  expect(performance.now() - startedAt).toBeGreaterThan(gatewayLimits.headersMs - 100);
});
