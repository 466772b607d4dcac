import type { HostEnvironment } from '../ports.js';
import { parseNpxCommand } from './npxCommand.js';
import {
  type LaunchedCommand,
  type NpxOptions,
  type NpxResolution,
  resolveNpx,
} from './resolveNpx.js';

/** As `resolveNpx`, for commands that it may know. Never rejects. */
export async function behindNpx(
  launch: LaunchedCommand,
  environment: HostEnvironment,
  options?: NpxOptions,
): Promise<NpxResolution | undefined> {
  if (!parseNpxCommand(launch.command, launch.args)) {
    return undefined;
  }
  return await resolveNpx(launch, environment, options);
}
