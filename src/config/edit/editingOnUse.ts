import { once, onFirstUse } from '../../base/async/onFirstUse.js';
import type { McpConfiguration } from '../configuration.js';
import { type EditablePools, locationIn, validateEntry } from './poolFiles.js';
import type { TransferHooks } from './serverTransfer.js';

/** The editor of configuration files, which is loaded for the first edit. */
export function createEditing(
  pools: EditablePools,
  hooks: () => Promise<TransferHooks>,
): McpConfiguration {
  const load = once(async (): Promise<McpConfiguration> => {
    const { ConfigurationEditor } = await import('./configurationEditor.js');
    return new ConfigurationEditor(pools, hooks);
  });
  return {
    location: (poolId, file) => locationIn(pools, poolId, file),
    knownText: (path) => pools.knownText(path),
    validate: validateEntry,
    ...onFirstUse(
      load,
      'read',
      'addServer',
      'addServers',
      'previewAdd',
      'checkName',
      'addImports',
      'updateServer',
      'removeServer',
      'transferServer',
      'setEnabled',
      'setEnabledTogether',
      'setEnabledInFolder',
      'setEnabledIn',
      'setMasterDisabled',
      'readSettings',
      'updateSettings',
      'ensureFile',
    ),
  };
}
