import type { McpConfiguration, PoolFile } from '../config/configuration.js';

/** Switches a server of the user on or off in a folder, for its user alone or for everybody who has the folder. */
export async function switchInFolder(
  configuration: McpConfiguration,
  id: string,
  wanted: { readonly uri: string; readonly isWanted: boolean; readonly file: PoolFile },
): Promise<void> {
  const { uri, isWanted, file } = wanted;
  if (file === 'primary' && isWanted) {
    await configuration.setEnabledInFolder(id, uri, true);
    return;
  }
  await configuration.setEnabledIn(id, uri, isWanted, file);
  if (file === 'primary') {
    // what the user has said for themselves in the folder would still count
    await configuration.setEnabledIn(id, uri, isWanted, 'local');
  }
}
