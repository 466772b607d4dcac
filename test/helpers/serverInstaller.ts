import { SecretKeeper } from '../../src/config/fixes/secretKeeper.js';
import type { InputStore } from '../../src/config/inputs/inputStore.js';
import { BundleStore } from '../../src/mcp/bundles/bundleStore.js';
import type { Fetch } from '../../src/mcp/connection/http/fetch.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { PackageOrigins } from '../../src/mcp/registry/packageOrigins.js';
import { RegistryClient } from '../../src/mcp/registry/registryClient.js';
import { systemClock } from '../../src/platform/clock.js';
import type { ImportFiles } from '../../src/presentation/add/addViews.js';
import { ServerInstaller } from '../../src/presentation/add/serverInstaller.js';
import type {
  AddReading,
  InstallParams,
  OfferDetails,
} from '../../src/protocol/add/addProtocol.js';
import { FakeKept } from './fakes/fakeKept.js';

/** What the page that adds servers talks to, with a real core behind it. */
export function createInstaller(
  service: McpService,
  {
    answers,
    url,
    importFiles = () => Promise.resolve([]),
    fetch = globalThis.fetch,
    origins = new PackageOrigins(new FakeKept()),
    machine = { platform: process.platform, homeDir: '/nowhere', getVariable: () => undefined },
  }: {
    /** Where bundles are kept. Default: nowhere. */
    readonly machine?: ConstructorParameters<typeof BundleStore>[0];
    readonly answers: InputStore;
    readonly url: string;
    readonly importFiles?: ImportFiles;
    readonly fetch?: Fetch;
    readonly origins?: PackageOrigins;
  },
): ServerInstaller {
  const client = new RegistryClient({ baseUrl: url, fetch, clock: systemClock });
  return new ServerInstaller({
    service,
    secrets: new SecretKeeper(answers),
    sources: { client: () => client, importFiles, bundles: new BundleStore(machine), fetch },
    origins,
    now: () => Date.parse('2026-05-04T10:00:00Z'),
    language: 'en',
  });
}

/** The first way of what is shown, into the place whose label begins so. */
export function paramsFor(
  installer: ServerInstaller,
  { id, ways: [way], suggestedName }: OfferDetails,
  place: string,
  answers: InstallParams['answers'] = {},
): InstallParams {
  const found = installer.places.list().find(({ label }) => label.startsWith(place));
  return {
    id,
    way: way?.id ?? '',
    place: found?.id ?? '',
    name: suggestedName,
    answers,
    plain: [],
  };
}

/** The card of a server that was read, or found. */
export function cardOf(reading: AddReading, index = 0): OfferDetails {
  const card = reading.kind === 'servers' ? reading.cards[index] : undefined;
  if (!card) {
    throw new Error(JSON.stringify(reading));
  }
  return card;
}
