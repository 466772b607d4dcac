import * as vscode from 'vscode';
import { isJsonObject } from '../../base/json.js';
import { toWellFormed } from '../../base/text/wellFormed.js';
import type { McpServerId } from '../../config/definition.js';
import { resourceFileName } from '../../mcp/catalog/resourceFile.js';
import type { McpServer } from '../../mcp/mcpApi.js';

export const resourceScheme = 'pi-mcp-resource';

interface ResourceId {
  readonly server: McpServerId;
  readonly uri: string;
}

export function toDocumentUri(
  server: McpServer,
  uri: string,
  mimeType: string | undefined,
): vscode.Uri {
  return vscode.Uri.from({
    scheme: resourceScheme,
    path: toWellFormed(
      `/${server.definition.name.replace(/[\\/]/g, '_')}/${resourceFileName(uri, mimeType)}`,
    ),
    query: JSON.stringify({ server: server.id, uri } satisfies ResourceId),
  });
}

/** @throws when it is none of ours */
export function readDocumentUri({ query }: vscode.Uri): ResourceId {
  let value: unknown;
  try {
    value = JSON.parse(query);
  } catch {
    // not one of our own addresses
  }
  if (isJsonObject(value) && typeof value.server === 'string' && typeof value.uri === 'string') {
    return { server: value.server as McpServerId, uri: value.uri };
  }
  throw vscode.FileSystemError.FileNotFound();
}
