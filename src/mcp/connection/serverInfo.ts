import type { McpCatalog } from '../mcpTypes.js';
import { cutText, maxTitleLength } from './serverBounds.js';

/** Who the server says it is, without what else the SDK passes on. */
export function serverInfoOf(info: McpCatalog['serverInfo']): McpCatalog['serverInfo'] {
  const cut = (text: string) => cutText(text, maxTitleLength);
  return (
    info && {
      name: cut(info.name),
      version: cut(info.version),
      ...(info.title === undefined ? {} : { title: cut(info.title) }),
    }
  );
}
