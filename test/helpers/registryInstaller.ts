import { SecretKeeper } from '../../src/config/fixes/secretKeeper.js';
import type { InputStore } from '../../src/config/inputs/inputStore.js';
import type { McpService } from '../../src/mcp/mcpApi.js';
import { RegistryClient } from '../../src/mcp/registry/registryClient.js';
import { systemClock } from '../../src/platform/clock.js';
import { RegistryInstaller } from '../../src/presentation/registry/registryInstaller.js';
import type {
  InstallParams,
  RegistryDetails,
} from '../../src/protocol/registry/registryProtocol.js';

/** What the registry's page talks to, with a real core behind it. */
export function createInstaller(
  service: McpService,
  { answers, url }: { readonly answers: InputStore; readonly url: string },
): RegistryInstaller {
  const client = new RegistryClient({ baseUrl: url, fetch, clock: systemClock });
  return new RegistryInstaller({
    service,
    secrets: new SecretKeeper(answers),
    client: () => client,
    now: () => Date.parse('2026-05-04T10:00:00Z'),
    language: 'en',
  });
}

/** The first way of what is shown, into the place whose label begins so. */
export function paramsFor(
  installer: RegistryInstaller,
  { id, ways: [way], suggestedName }: RegistryDetails,
  place: string,
  answers: InstallParams['answers'] = {},
): InstallParams {
  const found = installer.places.find(({ label }) => label.startsWith(place));
  return { id, way: way?.id ?? '', place: found?.id ?? '', name: suggestedName, answers };
}
