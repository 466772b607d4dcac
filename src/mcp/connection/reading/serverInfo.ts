import type { McpCatalog } from '../../mcpTypes.js';
import { parseIcons } from './parseIcons.js';
import { cutText, maxTitleLength } from './serverBounds.js';

type ServerInfo = NonNullable<McpCatalog['serverInfo']>;

/** Who the server says it is, without what else the SDK passes on. */
export function serverInfoOf(
  info: (Omit<ServerInfo, 'icons'> & { readonly icons?: unknown }) | undefined,
): McpCatalog['serverInfo'] {
  const cut = (text: string) => cutText(text, maxTitleLength);
  return (
    info && {
      name: cut(info.name),
      version: cut(info.version),
      title: info.title === undefined ? undefined : cut(info.title),
      ...parseIcons({ icons: info.icons }),
    }
  );
}
