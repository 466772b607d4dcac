/** What servers say about MCP Apps in `_meta`, by the extension `io.modelcontextprotocol/ui`. */
import { isJsonObject, type JsonObject } from '../../../base/json.js';
import type { McpAppNeeds, McpToolUi } from '../../mcpTypes.js';

export const uiExtension = 'io.modelcontextprotocol/ui';
export const appMimeType = 'text/html;profile=mcp-app';

const maxUriLength = 2048;
const maxDomains = 50;
const maxDomainLength = 300;
const maxPermissions = 20;

/** Reads the older flat key `ui/resourceUri` as well. */
export function parseToolUi(item: JsonObject): { readonly ui?: McpToolUi } {
  const meta = isJsonObject(item._meta) ? item._meta : {};
  const ui = isJsonObject(meta.ui) ? meta.ui : {};
  const resourceUri = [ui.resourceUri, meta['ui/resourceUri']].find(isUiUri);
  const visibility = Array.isArray(ui.visibility)
    ? (['model', 'app'] as const).filter((who) => (ui.visibility as unknown[]).includes(who))
    : undefined;
  return resourceUri === undefined && visibility === undefined
    ? {}
    : { ui: { resourceUri, visibility } };
}

/** Of a resource in a list, or of its contents. */
export function parseAppNeeds(item: JsonObject): { readonly ui?: McpAppNeeds } {
  const ui = isJsonObject(item._meta) ? item._meta.ui : undefined;
  if (!isJsonObject(ui)) {
    return {};
  }
  const csp = isJsonObject(ui.csp) ? ui.csp : {};
  const permissions = isJsonObject(ui.permissions) ? Object.keys(ui.permissions) : [];
  return {
    ui: {
      connectDomains: domains(csp.connectDomains),
      resourceDomains: domains(csp.resourceDomains),
      frameDomains: domains(csp.frameDomains),
      baseUriDomains: domains(csp.baseUriDomains),
      permissions: permissions.slice(0, maxPermissions).map((name) => name.slice(0, 100)),
    },
  };
}

function isUiUri(value: unknown): value is string {
  return typeof value === 'string' && value.startsWith('ui://') && value.length <= maxUriLength;
}

function domains(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [])
    .filter((domain) => typeof domain === 'string' && domain.length <= maxDomainLength)
    .slice(0, maxDomains);
}
