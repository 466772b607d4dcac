import type { HostEnvironment } from '../ports.js';
import { parseNpxCommand } from './npxCommand.js';
import type { LaunchedCommand, NpxOptions, NpxResolution } from './resolveNpx.js';

/** As `resolveNpx`, which is loaded for commands that it may know. Never rejects. */
export async function behindNpx(
  launch: LaunchedCommand,
  environment: HostEnvironment,
  options?: NpxOptions,
): Promise<NpxResolution | undefined> {
  if (!parseNpxCommand(launch.command, launch.args)) {
    return undefined;
  }
  const { resolveNpx } = await import('./resolveNpx.js');
  return await resolveNpx(launch, environment, options);
}
