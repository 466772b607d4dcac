import type * as vscode from 'vscode';
import type { storageKeys } from '../../contributions.js';
import type { KeptValue } from '../../platform/ports.js';

export function keptIn(
  storage: vscode.Memento,
  key: (typeof storageKeys)[keyof typeof storageKeys],
): KeptValue {
  return {
    recall: () => storage.get(key),
    remember: async (value) => await storage.update(key, value),
  };
}
