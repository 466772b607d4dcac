/** What servers log, as the clients of a gateway hear it: each session what it asked for, on each wire. */
import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  EmptyResultSchema,
  LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../../src/gateway/gateway.js';
import { nullLogger } from '../../src/platform/ports.js';
import { fixtureServer, GatewayHarness } from '../helpers/gateway/gatewayHarness.js';

const secret = 'sk-9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const ownLog: string[] = [];
let harness: GatewayHarness;
let gateway: Gateway;

beforeAll(async () => {
  const misbehave = fixtureServer('misbehave');
  harness = await GatewayHarness.create(
    { offering: fixtureServer('offering'), db: { ...misbehave, env: { API_TOKEN: secret } } },
    undefined,
    {
      main: nullLogger,
      forServer: () => ({ level: 'warn', log: (_level, message) => ownLog.push(message) }),
    },
  );
  gateway = await harness.start();
});

afterAll(async () => {
  await harness.dispose();
});

function hear(client: Client): string[] {
  const heard: string[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
    heard.push(`${params.level} ${params.logger}: ${params.data}`);
  });
  return heard;
}

const spoken = (from: string, ...levels: readonly string[]) =>
  levels.map((level) => `${level} ${from}: ${level} of the server`);

describe('the log of a server', () => {
  it('reaches each session of 2025 as far as it asked for it, before the answer of the call', async () => {
    const clients = await Promise.all(
      ['curious', 'calm', 'silent'].map((name) => harness.connect(gateway, 'offering', name)),
    );
    const [curious, calm] = clients as [Client, Client, Client];
    const [heard, calmly, nothing] = clients.map(hear);
    await curious.setLoggingLevel('debug');
    await calm.setLoggingLevel('critical');
    await curious.callTool({ name: 'speak' });
    expect(heard).toEqual(spoken('mouth', 'debug', 'notice', 'warning', 'critical'));
    // what a call has the server say is for whoever has called
    expect(calmly).toEqual([]);
    await calm.callTool({ name: 'speak' });
    expect(calmly).toEqual(spoken('mouth', 'critical'));
    expect(heard).toHaveLength(4);
    expect(nothing).toEqual([]);
    // what only a client has asked for is not in the log of the user
    expect(ownLog.filter((line) => line.includes('debug of the server'))).toEqual([]);
    expect(ownLog).toContain('mouth: warning of the server');
    await Promise.all(clients.map((client) => client.close()));
  });

  it('can be asked for less, and not for a level that there is not', async () => {
    const client = await harness.connect(gateway, 'offering');
    const heard = hear(client);
    await client.setLoggingLevel('debug');
    await client.setLoggingLevel('warning');
    await client.callTool({ name: 'speak' });
    expect(heard).toEqual(spoken('mouth', 'warning', 'critical'));
    await expect(
      client.request(
        { method: 'logging/setLevel', params: { level: 'loud' } } as never,
        EmptyResultSchema,
      ),
    ).rejects.toMatchObject({ code: -32602 });
  });

  it('names its server at the address of all', async () => {
    const client = await harness.connect(gateway);
    const heard = hear(client);
    await client.setLoggingLevel('critical');
    await client.callTool({ name: 'offering__speak' });
    expect(heard).toEqual(spoken('offering/mouth', 'critical'));
  });

  it('reaches a client of 2026-07-28 with the request that asks for it, and with no other', async () => {
    const client = await harness.connectModern(gateway, 'offering');
    const heard: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => {
      heard.push(params.level);
    });
    const _meta = { [LOG_LEVEL_META_KEY]: 'warning' };
    await client.callTool({ name: 'speak', _meta });
    expect(heard).toEqual(['warning', 'critical']);
    await client.callTool({ name: 'speak' });
    expect(heard).toEqual(['warning', 'critical']);
  });

  it('reaches a client at the socket', async () => {
    const client = await harness.connectSocket(gateway);
    const heard = hear(client);
    await client.setLoggingLevel('critical');
    await client.callTool({ name: 'offering__speak' });
    expect(heard).toEqual(spoken('offering/mouth', 'critical'));
  });

  it('shows no secret that the server was given', async () => {
    const client = await harness.connect(gateway, 'db');
    const heard: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      heard.push(params.data);
    });
    await client.setLoggingLevel('debug');
    const data = { query: `login with ${secret}`, rows: [secret, 2] };
    await client.callTool({ name: 'log', arguments: { level: 'info', data } });
    expect(heard).toHaveLength(1);
    expect(JSON.stringify(heard)).not.toContain(secret);
    expect(heard).toMatchObject([
      { query: expect.stringContaining('login with'), rows: [expect.any(String), 2] },
    ]);
  });
});
