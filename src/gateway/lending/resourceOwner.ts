import type { McpServer } from '../../mcp/mcpApi.js';
import { invalidParams, RpcError } from './rpcError.js';

/** As the protocol says for a resource that is not there. */
const resourceNotFound = -32002;

const maxShown = 200;

/**
 * The server that lists the address; where none does, that has it for a template, then whose template it fits, then the
 * only one. A template never beats a list.
 * @throws {RpcError} also where two claim it, of which one could have done so to be read in the place of the other.
 */
export function resourceOwner(servers: readonly McpServer[], uri: string): McpServer {
  const claims: readonly ((server: McpServer) => boolean)[] = [
    ({ catalog }) => catalog.value.resources.some((one) => one.uri === uri),
    ({ catalog }) => catalog.value.resourceTemplates.some((one) => one.uriTemplate === uri),
    ({ catalog }) =>
      catalog.value.resourceTemplates.some((one) => fitsTemplate(one.uriTemplate, uri)),
    () => servers.length === 1,
  ];
  for (const isClaimed of claims) {
    const [owner, ...others] = servers.filter(isClaimed);
    if (owner && others.length > 0) {
      throw severalClaim([owner, ...others], uri);
    }
    if (owner) {
      return owner;
    }
  }
  throw new RpcError(resourceNotFound, `Resource not found: ${uri}`, { uri });
}

function severalClaim(servers: readonly McpServer[], uri: string): RpcError {
  const names = servers.map(({ definition }) => JSON.stringify(definition.name)).join(', ');
  return invalidParams(
    `Several servers claim ${JSON.stringify(uri.slice(0, maxShown))}: ${names}. Ask one of them at its own address.`,
  );
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
