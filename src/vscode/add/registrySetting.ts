import * as vscode from 'vscode';
import { settingIds } from '../../contributions.js';
import type { Fetch } from '../../mcp/connection/http/fetch.js';
import { officialRegistry, RegistryClient } from '../../mcp/registry/registryClient.js';
import { systemClock } from '../../platform/clock.js';

/** The registry that the user has chosen: ours, else the gallery of VS Code, else the official one. */
export class RegistrySetting {
  private current: { readonly baseUrl: string; readonly client: RegistryClient } | undefined;

  /** Looked up for each request: VS Code puts its proxy in its place. */
  readonly fetch: Fetch = (url, init) => globalThis.fetch(url, init);

  /** @throws {HumanError} when the setting names no registry. */
  get client(): RegistryClient {
    const baseUrl = chosenRegistry();
    if (this.current?.baseUrl !== baseUrl) {
      const client = new RegistryClient({ baseUrl, fetch: this.fetch, clock: systemClock });
      this.current = { baseUrl, client };
    }
    return this.current.client;
  }
}

/** Neither setting can be made by a workspace. */
function chosenRegistry(): string {
  const own = vscode.workspace.getConfiguration().get<string>(settingIds.registryUrl, '').trim();
  const gallery = vscode.workspace
    .getConfiguration('chat.mcp.gallery')
    .inspect<string>('serviceUrl')
    ?.globalValue?.trim();
  return own || gallery || officialRegistry;
}
