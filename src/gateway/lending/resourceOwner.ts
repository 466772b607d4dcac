import type { McpServer } from '../../mcp/mcpApi.js';
import { RpcError } from './rpcError.js';

/** As the protocol says for a resource that is not there. */
const resourceNotFound = -32002;

/** The first server that lists the address, whose template it fits, or that is the only one. @throws {RpcError} */
export function resourceOwner(servers: readonly McpServer[], uri: string): McpServer {
  const [first, ...others] = servers;
  const owner =
    servers.find(({ catalog }) => catalog.value.resources.some((one) => one.uri === uri)) ??
    servers.find(({ catalog }) =>
      catalog.value.resourceTemplates.some((one) => fitsTemplate(one.uriTemplate, uri)),
    ) ??
    (others.length === 0 ? first : undefined);
  if (!owner) {
    throw new RpcError(resourceNotFound, `Resource not found: ${uri}`, { uri });
  }
  return owner;
}

/** Whether the texts between the variables of the template stand in the address in their order; linear. */
export function fitsTemplate(template: string, uri: string): boolean {
  if (template === uri) {
    return true;
  }
  const literals = template.split(/\{[^{}]*\}/);
  const first = literals[0] ?? '';
  const last = literals.at(-1) ?? '';
  if (literals.length === 1 || !uri.startsWith(first) || !uri.endsWith(last)) {
    return false;
  }
  let position = first.length;
  for (const literal of literals.slice(1, -1)) {
    const found = uri.indexOf(literal, position);
    if (found === -1) {
      return false;
    }
    position = found + literal.length;
  }
  return position <= uri.length - last.length;
}
