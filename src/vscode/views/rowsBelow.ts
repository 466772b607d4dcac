/** What rows below servers need beside the others; loaded when one of these is opened. */
import type * as vscode from 'vscode';
import * as nodes from '../../presentation/tree/below/nodes.js';
import type { TreeNode } from '../../presentation/tree/topNodes.js';
import { toDocumentUri } from '../documents/resourceUris.js';

export { nodes };

/** What is dragged of a row that stands for a document. */
export function resourceUri(node: TreeNode): vscode.Uri | undefined {
  return node.kind === 'resource' && 'uri' in node.resource
    ? toDocumentUri(node.server, node.resource.uri, node.resource.mimeType)
    : undefined;
}
