/** What a server offers beside tools, on its page: resources, prompts and skills. */
import type { McpServer } from '../../mcp/mcpApi.js';
import {
  type OfferKind,
  offerKinds,
  type ServerOfferView,
} from '../../protocol/server/serverProtocol.js';
import { itemPicture } from '../tree/below/itemPicture.js';
import { childNodes, type TreeNode } from '../tree/nodes.js';
import { firstLine } from '../tree/presentation.js';
import { originalName } from '../tree/targets.js';

type OfferNode = Extract<TreeNode, { readonly kind: OfferKind }>;

/** By their kinds, in the order of the tree. */
export function serverOffers(server: McpServer): readonly ServerOfferView[] {
  return offerNodes(server).map(offerView);
}

function offerView(node: OfferNode): ServerOfferView {
  const { kind } = node;
  const key = originalName(node) ?? '';
  if (kind === 'resource') {
    const { title, name } = node.resource;
    return { kind, key, name: title ?? name, detail: key, ...itemPicture(node.resource) };
  }
  if (kind === 'prompt') {
    const { title, description } = node.prompt;
    const detail = firstLine(description ?? title) ?? '';
    return { kind, key, name: key, detail, ...itemPicture(node.prompt) };
  }
  return { kind, key, name: key, detail: firstLine(node.skill.description) ?? '' };
}

/** What commands of the tree take for it. `undefined`: the server offers it no more. */
export function offerNode(server: McpServer, kind: OfferKind, key: string): TreeNode | undefined {
  return offerNodes(server).find((node) => node.kind === kind && originalName(node) === key);
}

function offerNodes(server: McpServer): readonly OfferNode[] {
  return (['resources', 'prompts', 'skills'] as const)
    .flatMap((group) => childNodes({ kind: 'group', group, server }))
    .filter((node): node is OfferNode => offerKinds.some((kind) => kind === node.kind));
}
