import { redactArgs } from '../config/secretArgs.js';
import { redactUrl } from '../config/secretShapes.js';
import type { LaunchSummary, McpServerLaunch } from '../mcpTypes.js';

/** What the user sees before consent; values of secrets are masked, those of env and headers left out. */
export function launchSummary(launch: McpServerLaunch): LaunchSummary {
  if (launch.kind === 'stdio') {
    return {
      kind: 'stdio',
      argv: [launch.command, ...redactArgs(launch.args)],
      ...(launch.cwd === undefined ? {} : { cwd: launch.cwd }),
      envKeys: Object.keys(launch.env),
      headerKeys: [],
    };
  }
  const bearer = launch.bearerToken !== undefined || launch.bearerTokenEnv !== undefined;
  const headerKeys = Object.keys(launch.headers);
  return {
    kind: 'http',
    argv: [redactUrl(launch.url)],
    envKeys: [],
    headerKeys: bearer ? [...headerKeys, 'Authorization'] : headerKeys,
  };
}
