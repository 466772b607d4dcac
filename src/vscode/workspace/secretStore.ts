import type * as vscode from 'vscode';
import type { ListableSecretStore } from '../../config/inputs/inputStore.js';

export function createSecretStore(secrets: vscode.SecretStorage): ListableSecretStore {
  return {
    get: async (key) => secrets.get(key),
    store: async (key, value) => secrets.store(key, value),
    delete: async (key) => secrets.delete(key),
    onDidChange: (listener) => secrets.onDidChange(({ key }) => listener(key)),
    keys: async () => secrets.keys(),
  };
}
