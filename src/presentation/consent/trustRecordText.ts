/** What the list of trust says of a record. Runs in plain Node, hence `@vscode/l10n`; both readers share one bundle. */
import * as l10n from '@vscode/l10n';
import { quotedName } from '../../base/text/nameToken.js';
import { showText } from '../../base/text/showText.js';
import type { TrustRecord } from '../../mcp/mcpApi.js';
import { describeLines } from '../../mcp/trust/descriptionLines.js';
import { identityText } from '../../platform/folderIdentityText.js';

/** One line. */
export function coverText(record: TrustRecord): string {
  const { grantedAt, servers, replaced, extensions } = record;
  if (replaced) {
    return l10n.t('Not valid: folder replaced');
  }
  if (extensions.length > 0) {
    const others = { ...record, extensions: [] };
    const own = l10n.t('Pi extensions ({0})', extensions.length);
    return grantedAt === undefined && servers.length === 0 ? own : `${coverText(others)}, ${own}`;
  }
  if (grantedAt !== undefined) {
    return l10n.t('the whole folder, since {0}', day(grantedAt));
  }
  const names = servers.map(({ name }) => quotedName(showText(name))).join(', ');
  return l10n.t('servers: {0}', names);
}

export function boundText({ identity }: TrustRecord): string {
  return l10n.t('holds for {0}', identityText(identity));
}

/** Everything that the record covers. */
export function recordText(record: TrustRecord): string {
  const { grantedAt, servers, replaced, identity, extensions } = record;
  return [
    l10n.t('It holds for {0}; another folder at this path asks again.', identityText(identity)),
    ...(replaced ? [l10n.t('Not valid: this path is now {0}.', identityText(replaced.now))] : []),
    ...(grantedAt === undefined
      ? []
      : [
          l10n.t(
            'The whole folder is trusted since {0}: all servers of its files.',
            day(grantedAt),
          ),
        ]),
    ...(extensions.length === 0
      ? []
      : [
          [
            l10n.t(
              'Pi extensions that run inside of the editor while these files stay as they are:',
            ),
            ...extensions.map((file) => showText(file)),
          ].join('\n'),
        ]),
    ...servers.map(({ name, description }) =>
      [
        `${showText(name)}:`,
        ...describeLines(description).map(({ label, text }) => l10n.t('{0}: {1}', label, text)),
      ].join('\n'),
    ),
  ].join('\n\n');
}

/** The day of an ISO time; it comes from a file. */
function day(time: string): string {
  return showText(time.slice(0, 10));
}
