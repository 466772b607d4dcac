import { isHumanError } from '../base/errors.js';
import type { McpServerEntry } from '../config/configuration.js';
import type { McpServer, McpService } from './mcpApi.js';

/** The entry of a server with its secrets hidden; `undefined` in a file that is broken, or that belongs to another program. */
export async function shownEntry(
  { configuration }: Pick<McpService, 'configuration'>,
  { id }: Pick<McpServer, 'id'>,
): Promise<McpServerEntry | undefined> {
  try {
    return (await configuration.read(id)).entry;
  } catch (error) {
    if (isHumanError(error)) {
      return undefined;
    }
    throw error;
  }
}
