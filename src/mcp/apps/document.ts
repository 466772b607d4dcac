import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { nameToken } from '../../base/text/nameToken.js';
import { appMimeType } from '../connection/reading/parseUi.js';
import type { McpServer } from '../mcpApi.js';
import type { McpAppNeeds } from '../mcpTypes.js';

/** Characters of one app's document. */
const maxAppLength = 6 * 1024 * 1024;
const maxBase64Length = (maxAppLength / 3) * 4;

export interface AppDocument {
  readonly html: string;
  readonly needs: McpAppNeeds | undefined;
}

/** Reads the document of an app from its own server. @throws {HumanError} when it cannot be shown. */
export async function readAppDocument(server: McpServer, uri: string): Promise<AppDocument> {
  const contents = await server.readResource(uri);
  const found = contents.find((one) => one.uri === uri) ?? contents[0];
  if (!found || !isAppType(found.mimeType)) {
    throw unusable(
      server,
      l10n.t('it is of type {0}, not {1}', found?.mimeType ?? '?', appMimeType),
    );
  }
  const { text, blob = '' } = found;
  if ((text ?? blob).length > (text === undefined ? maxBase64Length : maxAppLength)) {
    throw unusable(server, l10n.t('more than {0} MB', maxAppLength / 1024 / 1024));
  }
  const html = text ?? Buffer.from(blob, 'base64').toString('utf8');
  if (html.trim() === '') {
    throw unusable(server, l10n.t('it is empty'));
  }
  const listed = server.catalog.value.resources.find((resource) => resource.uri === uri);
  return { html, needs: found.ui ?? listed?.ui };
}

function isAppType(mimeType = ''): boolean {
  const [type, ...parameters] = mimeType.toLowerCase().replace(/[\s"]/g, '').split(';');
  return [type, parameters.find((one) => one.startsWith('profile='))].join(';') === appMimeType;
}

function unusable(server: McpServer, reason: string): HumanError {
  return new HumanError(
    'app_unusable',
    l10n.t(
      'The app of an MCP server cannot be shown: {0}. The server: {1}',
      reason,
      nameToken(server.definition.name),
    ),
    { remedy: l10n.t('The result of the tool is in the conversation all the same.') },
  );
}
