import { secretsOfLaunch } from '../../config/launch/launchSecrets.js';
import type { HostEnvironment } from '../../platform/ports.js';
import type { McpService } from '../mcpApi.js';

/** What the entries of all servers keep secret, and the values of the variables that they read for it. */
export function secretsOfServers(
  service: Pick<McpService, 'pools'>,
  environment: Pick<HostEnvironment, 'getVariable'>,
): readonly string[] {
  return service.pools
    .flatMap(({ servers }) => servers)
    .flatMap(({ definition: { launch } }) =>
      launch ? secretsOfLaunch(launch, (name) => environment.getVariable(name)) : [],
    );
}
