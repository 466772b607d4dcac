/**
 * What a server passes of the official suite by itself it passes through the gateway as well, scenario by scenario.
 * What it loses there on purpose stands here, with the reason.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ReferenceServer } from '../fixtures/servers/referenceServer.js';
import {
  judgeServer,
  lostChecks,
  passedChecks,
  TokenProxy,
} from '../helpers/conformance/serverSuite.js';
import { GatewayHarness } from '../helpers/gateway/gatewayHarness.js';

/** The suite plays a page of the server's own origin; a gateway has no pages, and serves nothing that runs in a browser. */
const forPages = ['dns-rebinding-protection: localhost-host-valid-accepted'];
/** The suite has nothing to say of streams where none is needed: what is one answer comes as JSON. */
const answeredAsJson = {
  '2025-11-25': ['server-sse-multiple-streams: server-sse-streams-functional'],
  '2026-07-28': [],
} as const;
const revisions = ['2025-11-25', '2026-07-28'] as const;
/** Scenarios that the suite has for a revision. */
const scenarios = { '2025-11-25': 33, '2026-07-28': 50 } as const;

let reference: ReferenceServer;
let harness: GatewayHarness;
const proxies = new Map<string, TokenProxy>();

beforeAll(async () => {
  reference = await ReferenceServer.start();
  const { url } = reference;
  harness = await GatewayHarness.create(
    Object.fromEntries(
      revisions.map((revision) => [
        revision,
        { url, protocolVersion: revision === '2026-07-28' ? revision : 'legacy' },
      ]),
    ),
    // the suite answers what its own calls have the server ask
    async () => ({ relays: true }),
  );
  const gateway = await harness.start();
  for (const revision of revisions) {
    const target = new URL(`${gateway.url}/${revision}`);
    proxies.set(revision, await TokenProxy.open(target, gateway.tokens.use));
  }
});

afterAll(async () => {
  await Promise.all([...proxies.values()].map((proxy) => proxy.close()));
  await harness.dispose();
  await reference.close();
});

it.each(revisions)('on the wire of %s', async (revision) => {
  const alone = await judgeServer(reference.url, revision);
  const through = await judgeServer(proxies.get(revision)?.url ?? '', revision);
  expect([alone.size, through.size]).toEqual([scenarios[revision], scenarios[revision]]);
  const meant = [...forPages, ...answeredAsJson[revision]];
  // the suite gives some scenarios so little time that a busy machine fails them alone
  const passed = new Set(passedChecks(alone));
  expect(lostChecks(alone, through)).toEqual(meant.filter((check) => passed.has(check)).sort());
});
