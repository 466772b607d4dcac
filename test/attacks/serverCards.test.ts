/** What a host could make of being asked which servers it has. */
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { catalogAddress, findServerCards } from '../../src/mcp/registry/serverCards.js';
import type { ServerInstaller } from '../../src/presentation/add/serverInstaller.js';
import type { OfferDetails } from '../../src/protocol/add/addProtocol.js';
import { Listener } from '../helpers/attacks/listener.js';
import { Tripwires } from '../helpers/attacks/tripwires.js';
import { CoreHarness } from '../helpers/coreHarness.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';
import { createInstaller, paramsFor } from '../helpers/serverInstaller.js';

const type = 'application/mcp-server-card+json';
const name = 'com.example/hostile';

let host: Listener;
/** Hears when anybody asks somebody else than the user named. */
let canary: Listener;
let core: CoreHarness;
let service: McpService;
let installer: ServerInstaller;
let ran: Tripwires;
let directory: string;

beforeEach(async () => {
  [host, canary] = await Promise.all([Listener.create(), Listener.create()]);
  core = await CoreHarness.create();
  directory = await realpath(await mkdtemp(join(tmpdir(), 'pi-mcp-cards-')));
  ran = await Tripwires.create(join(directory, 'ran'));
  service = core.open();
  await service.whenStarted();
  installer = createInstaller(service, {
    answers: createAnswers(),
    url: 'https://registry.example',
  });
});

afterEach(async () => {
  await core.dispose();
  await Promise.all([host.close(), canary.close()]);
  await rm(directory, { recursive: true, force: true });
});

/** @param documents by path */
function serve(documents: Readonly<Record<string, unknown>>): void {
  host.answer = ({ path }, response) => {
    const document = documents[path];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(typeof document === 'string' ? document : JSON.stringify(document));
  };
}

const catalogOf = (...entries: readonly object[]) => ({
  '/.well-known/ai-catalog.json': {
    specVersion: '1.0',
    entries: entries.map((entry) => ({ identifier: 'urn:air:x:mcp:y', type, ...entry })),
  },
});
const card = (remotes: readonly object[], rest: object = {}) => ({
  name,
  version: '1.0.0',
  description: 'x',
  remotes,
  ...rest,
});

async function discovered(): Promise<readonly OfferDetails[]> {
  const reading = await installer.discover(host.url('mcp'));
  return reading.kind === 'servers' ? reading.cards : [];
}

describe('another host', () => {
  it('is heard when the user names it: the canary sings', async () => {
    await installer.discover(canary.url('mcp'));
    expect(canary.requests.map(({ path }) => path)).toEqual(['/.well-known/ai-catalog.json']);
  });

  it.each([
    ['as the place of a card', () => serve(catalogOf({ url: canary.url('card') }))],
    [
      'as the place of many',
      () =>
        serve(catalogOf(...Array.from({ length: 50 }, (_, at) => ({ url: canary.url(`${at}`) })))),
    ],
    [
      'with the name of the first one',
      () =>
        serve(catalogOf({ url: canary.url('card').replace('//', `//127.0.0.1:${host.port}@`) })),
    ],
    [
      'as where its server is',
      () => serve(catalogOf({ data: card([{ type: 'streamable-http', url: canary.url('mcp') }]) })),
    ],
    [
      'by icons and links',
      () =>
        serve(
          catalogOf({
            data: card([{ type: 'streamable-http', url: host.url('mcp') }], {
              icons: [{ src: canary.url('icon') }],
              websiteUrl: canary.url('site'),
            }),
          }),
        ),
    ],
    [
      'by a redirect of the catalog',
      () => {
        host.answer = (_request, response) =>
          void response.writeHead(302, { location: canary.url('catalog') }).end();
      },
    ],
    [
      'by a redirect of a card',
      () => {
        host.answer = ({ path }, response) => {
          if (path === '/card') {
            response.writeHead(307, { location: canary.url('card') }).end();
          } else {
            const [document] = Object.values(catalogOf({ url: host.url('card') }));
            response.end(JSON.stringify(document));
          }
        };
      },
    ],
  ] as const)('is asked nothing: %s', async (_what, attack) => {
    attack();
    await discovered();
    expect(canary.connections).toBe(0);
    expect(host.requests.length).toBeGreaterThan(0);
  });

  it('is named with its host where its server or its card is', async () => {
    serve(
      catalogOf(
        { url: canary.url('card') },
        { data: card([{ type: 'streamable-http', url: canary.url('mcp') }]) },
      ),
    );
    const [elsewhere, hosted] = await discovered();
    expect(elsewhere?.ways[0]?.blocker).toContain(`127.0.0.1:${canary.port}`);
    expect(hosted?.cautions.join()).toContain(`127.0.0.1:${canary.port}`);
  });
});

it('nobody is asked before the user wants it, and only where that is safe', async () => {
  await installer.read(host.url('mcp'));
  expect(host.connections).toBe(0);
  const refused = [
    'http://example.com/mcp',
    'http://10.0.0.1/mcp',
    'https://user:secret@example.com/mcp',
    'file:///etc/passwd',
    'https://${HOST}/mcp',
    'javascript:alert(1)',
    'ftp://example.com',
  ];
  expect(refused.filter((text) => catalogAddress(text))).toEqual([]);
  expect(catalogAddress('https://example.com/mcp?token=secret#x')?.href).toBe(
    'https://example.com/.well-known/ai-catalog.json',
  );
});

describe('a card', () => {
  const good = { type: 'streamable-http', url: 'https://mcp.example/x' };

  it.each([
    ['packages', () => card([], { packages: [npm()] })],
    ['packages beside an address', () => card([good], { packages: [npm()] })],
    [
      'an entry of a registry in it',
      () => ({ ...card([good]), server: { name, version: '1', packages: [npm()] } }),
    ],
    [
      'a command in a header',
      () => card([{ ...good, headers: [{ name: 'A', value: ran.commandValue('a') }] }]),
    ],
    ['a variable of the user', () => card([{ ...good, url: 'https://mcp.example/${HOME}' }])],
    [
      'an environment variable',
      () => card([{ ...good, headers: [{ name: 'A', value: '{env:HOME}' }] }]),
    ],
    ['an address of this machine by name', () => card([{ ...good, url: 'http://10.0.0.1/x' }])],
    ['a password in its address', () => card([{ ...good, url: 'https://u:p@mcp.example/x' }])],
  ])('with %s runs and reads nothing', async (_what, hostile) => {
    serve(catalogOf({ data: hostile() }));
    for (const details of await discovered()) {
      expect(JSON.stringify(details)).not.toContain('npx');
      for (const way of details.ways.filter(({ blocker }) => blocker === undefined)) {
        const params = { ...paramsFor(installer, details, 'User: Every Folder'), way: way.id };
        await installer.add(params);
      }
    }
    await service.reload();
    await Promise.all(service.servers.map((server) => server.stop()));
    const text = JSON.stringify(service.servers.map(({ definition }) => definition.launch));
    expect(text).not.toMatch(/HOME|npx|touch|10\.0\.0\.1|u:p/);
    expect(await ran.sprung()).toEqual([]);
  });

  it('is drawn with what it hides, and with nothing that is proven', async () => {
    const hidden = { title: 'Good\u202etxt', description: 'a\u200bb', version: '1\u2066' };
    serve(
      catalogOf({ data: card([good], hidden) }, { data: card([], {}), identifier: 'x\u202ey' }),
    );
    const text = JSON.stringify(await discovered());
    expect(text).not.toMatch(/[\u202e\u200b\u2066]/);
    expect(text).toContain('It was not checked.');
    expect(text).not.toContain('Published by');
  });

  it('of a host elsewhere cannot lead to this machine', async () => {
    const far = new URL('https://example.com/.well-known/ai-catalog.json');
    const [document] = Object.values(
      catalogOf({ data: card([{ type: 'streamable-http', url: canary.url('mcp') }]) }),
    );
    const fetch = async () => Response.json(document);
    const local = createInstaller(service, {
      answers: createAnswers(),
      url: 'https://registry.example',
      fetch,
    });
    const reading = await local.discover(far.href);
    const ways = reading.kind === 'servers' ? reading.cards.flatMap((one) => one.ways) : [];
    expect(ways.map(({ blocker }) => blocker)).toEqual([
      'An address has to begin with https:// and to hold no user name.',
    ]);
  });
});

describe('an answer', () => {
  const find = () =>
    findServerCards(new URL(host.url('.well-known/ai-catalog.json')), { fetch, most: 30 });

  it.each([
    [
      'without end',
      () => {
        host.answer = (_request, response) => {
          const more = () =>
            response.write('['.repeat(64 * 1024), () => response.destroyed || more());
          more();
        };
      },
    ],
    [
      'that is nested without end',
      () => serve({ '/.well-known/ai-catalog.json': '['.repeat(100_000) }),
    ],
    ['that is no JSON', () => serve({ '/.well-known/ai-catalog.json': '<html>' })],
    [
      'with keys of prototypes',
      () =>
        serve({
          '/.well-known/ai-catalog.json': '{"__proto__":{"entries":[{}]},"entries":{"length":9}}',
        }),
    ],
    [
      'whose entries are nothing',
      () =>
        serve({ '/.well-known/ai-catalog.json': { entries: [null, 1, 'x', [], {}, { type }] } }),
    ],
  ] as const)('%s lists nothing', async (_what, attack) => {
    attack();
    const found = await find();
    expect(found.kind === 'found' ? found.cards : []).toEqual([]);
  });

  it('with entries without end is looked at up to a bound', async () => {
    const entries = Array.from({ length: 5_000 }, () => ({ url: host.url('card') }));
    serve(catalogOf(...entries));
    expect(await find()).toMatchObject({ count: 1_000 });
    expect(host.requests).toHaveLength(31);
  });
});

function npm() {
  return { registryType: 'npm', identifier: 'a', version: '1.0.0', transport: { type: 'stdio' } };
}
