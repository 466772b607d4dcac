import * as l10n from '@vscode/l10n';
import type { AttachedResource } from '../../agent/panel/attachments/attachment.js';
import { HumanError } from '../../base/errors.js';
import type { McpServerId } from '../../config/definition.js';
import type { McpServer } from '../../mcp/mcpApi.js';

/**
 * A resource by the address of its row, which a page or a file may have forged: it says nothing that the list of the
 * server does not say, not even what the resource is called.
 * @param servers those that the conversation may use
 * @param isOpen the user has opened this address as a document
 * @throws {HumanError} for a server that is none of them, and for what nobody has listed or opened
 */
export function droppedResource(
  { server: id, uri }: { readonly server: McpServerId; readonly uri: string },
  servers: readonly McpServer[],
  isOpen: boolean,
): AttachedResource {
  const server = servers.find((one) => one.id === id);
  const listed = server?.catalog.value.resources.find((one) => one.uri === uri);
  if (!server || (!listed && !isOpen)) {
    throw new HumanError(
      'attachment_outside',
      l10n.t('No server of this conversation lists this.'),
      {
        remedy: l10n.t('Drag it from the tree again, or type @ and its name.'),
      },
    );
  }
  return { kind: 'resource', server: id, uri, label: listed?.title ?? listed?.name ?? uri };
}
