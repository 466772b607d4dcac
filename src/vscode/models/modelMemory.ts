import * as vscode from 'vscode';
import type { ModelMemory } from '../../agent/live/options.js';
import { type ModelRef, modelName } from '../../agent/models/models.js';
import { thinkingLevels } from '../../agent/models/thinking.js';
import { asObject } from '../../base/json.js';
import { settingIds, storageKeys } from '../../contributions.js';
import type { ConfigValue } from '../workspace/configValue.js';

const maxRecent = 10;

/** The picked model lives in the setting, so that settings editor and panel show the same. */
export function createModelMemory(
  setting: ConfigValue<typeof settingIds.agentModel>,
  storage: vscode.Memento,
): ModelMemory {
  const read = (key: 'pinnedModels' | 'recentModels') => {
    const stored: unknown = storage.get(storageKeys[key]);
    return Array.isArray(stored) ? stored.flatMap((one) => readRef(one) ?? []) : [];
  };
  const namesWithout = (key: 'pinnedModels' | 'recentModels', name: string) =>
    read(key)
      .map(modelName)
      .filter((one) => one !== name);
  const levels = () => asObject(storage.get(storageKeys.thinkingLevels));
  return {
    recall: () => readRef(setting.value),
    async remember(model) {
      const name = modelName(model);
      const others = namesWithout('recentModels', name);
      await storage.update(storageKeys.recentModels, [name, ...others].slice(0, maxRecent));
      await vscode.workspace
        .getConfiguration()
        .update(settingIds.agentModel, name, vscode.ConfigurationTarget.Global);
    },
    get recent() {
      return read('recentModels');
    },
    get pinned() {
      return read('pinnedModels');
    },
    async pin(model, isPinned) {
      const name = modelName(model);
      const others = namesWithout('pinnedModels', name);
      await storage.update(storageKeys.pinnedModels, isPinned ? [...others, name] : others);
    },
    level: (model) => {
      const stored = levels()[modelName(model)];
      return thinkingLevels.find((one) => one === stored);
    },
    async rememberLevel(model, level) {
      await storage.update(storageKeys.thinkingLevels, { ...levels(), [modelName(model)]: level });
    },
  };
}

/** Of what {@link modelName} made. */
function readRef(name: unknown): ModelRef | undefined {
  const [, provider, id] =
    /^([^/]+)\/(.+)$/.exec(typeof name === 'string' ? name.trim() : '') ?? [];
  return provider && id ? { provider, id } : undefined;
}
