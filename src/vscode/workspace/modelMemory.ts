import * as vscode from 'vscode';
import type { ModelMemory } from '../../agent/panel/options.js';
import { settingIds } from '../../contributions.js';
import type { ConfigValue } from './configValue.js';

/** The picked model lives in the setting, so that settings editor and panel show the same. */
export function createModelMemory(setting: ConfigValue<typeof settingIds.agentModel>): ModelMemory {
  return {
    recall() {
      // ids of models may hold slashes, names of providers do not
      const [, provider, id] = /^([^/]+)\/(.+)$/.exec(setting.value.trim()) ?? [];
      return provider && id ? { provider, id } : undefined;
    },
    async remember({ provider, id }) {
      await vscode.workspace
        .getConfiguration()
        .update(settingIds.agentModel, `${provider}/${id}`, vscode.ConfigurationTarget.Global);
    },
  };
}
