import type * as vscode from 'vscode';
import type { SecretStore } from '../../mcp/ports.js';

export function createSecretStore(secrets: vscode.SecretStorage): SecretStore {
  return {
    get: async (key) => secrets.get(key),
    store: async (key, value) => secrets.store(key, value),
    delete: async (key) => secrets.delete(key),
  };
}
