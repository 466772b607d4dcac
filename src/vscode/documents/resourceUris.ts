import * as vscode from 'vscode';
import { parseJsonObject } from '../../base/json.js';
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
  const { server, uri } = parseJsonObject(query) ?? {};
  if (typeof server === 'string' && typeof uri === 'string') {
    return { server: server as McpServerId, uri };
  }
  throw vscode.FileSystemError.FileNotFound();
}
