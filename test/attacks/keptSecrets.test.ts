/** Edits that keep a value which they cannot read, and have it sent somewhere else. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { globalPoolId, serverId } from '../../src/config/definition.js';
import { SecretKeeper } from '../../src/config/fixes/secretKeeper.js';
import { Gateway } from '../../src/gateway/gateway.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { saveServer } from '../../src/presentation/configPage/saveServer.js';
import type { FormValue, SaveServerParams } from '../../src/protocol/configProtocol.js';
import { Listener } from '../helpers/attacks/listener.js';
import { CoreHarness, find } from '../helpers/coreHarness.js';
import { createAnswers } from '../helpers/fakes/fakeAnswers.js';
import { rest } from '../helpers/gateway/restClient.js';

const hidden = '***REDACTED***';
const secret = 'canary-81f3a0c4-canary';

let core: CoreHarness;
let service: McpService;
let gateway: Gateway;
let home: Listener;
let elsewhere: Listener;

beforeEach(async () => {
  home = await Listener.create();
  elsewhere = await Listener.create();
  core = await CoreHarness.create();
  await core.writeGlobal({
    remote: {
      url: home.url('mcp'),
      headers: { Authorization: `Bearer ${secret}` },
      enabled: false,
    },
    token: { url: home.url('mcp'), bearerToken: secret, enabled: false },
    query: { url: home.url(`mcp?token=${secret}`), enabled: false },
  });
  service = core.open();
  await service.whenStarted();
  gateway = await Gateway.start({
    service,
    folderUri: undefined,
    version: '0.0.0',
    onError: () => undefined,
  });
});

afterEach(async () => {
  await gateway.stop();
  await core.dispose();
  await home.close();
  await elsewhere.close();
});

type Entry = Readonly<Record<string, unknown>>;
/** Never rejects. */
type Way = (name: string, entry: Entry) => Promise<unknown>;

const ways: readonly (readonly [string, Way])[] = [
  ['REST', (name, entry) => rest(gateway, 'PUT', `/mcp/servers/${name}`, { body: entry })],
  [
    'the API',
    (name, entry) =>
      service.configuration
        .updateServer(serverId(globalPoolId, name), { entry })
        .catch((error: unknown) => error),
  ],
  [
    'the form',
    (name, { url, headers = {}, bearerToken }) => saveForm(name, url, headers, bearerToken),
  ],
];

function saveForm(name: string, url: unknown, headers: unknown, bearerToken: unknown) {
  const pairs = Object.entries(headers as Readonly<Record<string, string>>).map(([key, value]) => ({
    key,
    value,
    storedKey: 'Authorization',
  }));
  const values: Record<string, FormValue> = {
    url: String(url),
    ...(pairs.length > 0 && { headers: pairs }),
    ...(bearerToken !== undefined && { bearerToken: String(bearerToken) }),
  };
  const request: SaveServerParams = {
    id: serverId(globalPoolId, name),
    poolId: globalPoolId,
    name,
    file: 'primary',
    entry: { kind: 'http', values },
    inFile: ['headers', 'bearerToken', 'url'],
  };
  return saveServer({ service, secrets: new SecretKeeper(createAnswers()) }, request);
}

async function start(name: string): Promise<void> {
  const id = serverId(globalPoolId, name);
  if (!service.getServer(id)?.definition.enabled) {
    await service.configuration.setEnabled(id, true);
    await service.reload();
  }
  await find(service, name)
    .ensureConnected(AbortSignal.timeout(20_000))
    .catch(() => undefined);
}

describe.each(ways)('by %s', (_name, edit) => {
  it.each([
    ['remote', (): Entry => ({ url: elsewhere.url('mcp'), headers: { Authorization: hidden } })],
    ['remote', (): Entry => ({ url: elsewhere.url('mcp'), headers: { 'X-Mine': hidden } })],
    ['token', (): Entry => ({ url: elsewhere.url('mcp'), bearerToken: hidden })],
    ['token', (): Entry => ({ url: elsewhere.url('mcp') })],
    ['query', (): Entry => ({ url: elsewhere.url(`mcp?token=${hidden}`) })],
  ])('no value of %s goes to another address', async (name, entry) => {
    await edit(name, entry());
    await start(name);
    expect(elsewhere.received).not.toContain(secret);
  });

  it('the control: it goes to another path of its own address', async () => {
    await edit('remote', { url: home.url('other'), headers: { Authorization: hidden } });
    await start('remote');
    expect(home.received).toContain('/other');
    expect(home.received).toContain(secret);
  });
});
