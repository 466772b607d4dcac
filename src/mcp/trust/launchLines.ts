import type { McpServerLaunch } from '../../config/definition.js';
import type { LaunchDescription } from '../../config/launch/launchDescription.js';
import { describeLaunch } from './describeLaunch.js';
import { type DescriptionLine, describeLines } from './descriptionLines.js';
import { redactDescription } from './redactDescription.js';

/** A launch for every place but the question about consent: nothing looked up, literal secrets masked. */
export function redactedDescription(launch: McpServerLaunch): LaunchDescription {
  return redactDescription(describeLaunch(launch, { isGlobalName: false }));
}

/** {@link redactedDescription} in words. */
export function launchLines(launch: McpServerLaunch): readonly DescriptionLine[] {
  return describeLines(redactedDescription(launch));
}

/** Its command line or address alone. */
export function launchLine(launch: McpServerLaunch): string {
  const lines = launchLines(launch);
  return lines.find(({ kind }) => kind === 'command' || kind === 'address')?.text ?? '';
}
