import * as vscode from 'vscode';
import { labelText } from '../../base/text/labelText.js';
import type { AppConsent, AppConsents } from '../../mcp/apps/consents.js';
import type { McpService, TrustRecord } from '../../mcp/mcpApi.js';
import { boundText, coverText, recordText } from '../../presentation/consent/trustRecordText.js';
import { poolOf, serverOf } from '../../presentation/tree/targets.js';
import type { TextDocuments } from '../documents/textDocuments.js';
import { confirm, showInformation, showWarning } from '../notifications.js';
import { listHeading, type PickItem, pickMany, pickOne } from './picks/picks.js';

export interface TrustPickerParts {
  readonly service: McpService;
  readonly documents: TextDocuments;
  readonly appConsents: AppConsents;
}

/**
 * Lists everything that the user has consented to, also in folders that are not open, and revokes it.
 * @param argument a node of the tree that it is about
 */
export async function manageTrust(argument: unknown, parts: TrustPickerParts): Promise<void> {
  const { service, documents, appConsents } = parts;
  const serverId = serverOf(service, argument)?.id;
  const folderUri = poolOf(service, argument)?.folder?.uri;
  const all = await service.trust.records();
  const ofRow = argument === undefined ? all : all.filter((one) => one.folderUri === folderUri);
  const apps = appConsents.all.filter((one) =>
    serverId === undefined
      ? argument === undefined || one.folderUri === folderUri
      : one.serverId === serverId,
  );
  if (ofRow.length + apps.length === 0) {
    void showInformation(
      vscode.l10n.t('You trust no server of a folder. User servers always run.'),
    );
    return;
  }
  const open = new Set(service.pools.map(({ id }) => id));
  const chosen = await pickOne<TrustRecord | 'apps' | 'all'>(
    [
      ...ofRow.map((record) => recordPick(record, open.has(record.folderUri))),
      ...(apps.length > 0 ? [appsPick(apps.length)] : []),
      ...(ofRow.length > 1 ? revokeAllPicks() : []),
    ],
    {
      title: vscode.l10n.t('Manage Trust'),
      takesOnly: ofRow.every((record) => open.has(record.folderUri)),
    },
  );
  switch (chosen) {
    case 'apps':
      return revokeApps(service, appConsents, apps);
    case 'all':
      return revokeAll(service, ofRow);
    default:
      return showRecord(service, documents, chosen);
  }
}

function appsPick(count: number): PickItem<'apps'> {
  return {
    label: vscode.l10n.t('Apps of MCP Servers…'),
    detail: vscode.l10n.t('What servers may show: {0}', count),
    iconPath: new vscode.ThemeIcon('window'),
    value: 'apps',
  };
}

function revokeAllPicks(): readonly PickItem<'all'>[] {
  return [
    listHeading(),
    { label: `$(trash) ${vscode.l10n.t('Revoke All')}`, alwaysShow: true, value: 'all' },
  ];
}

function recordPick(record: TrustRecord, isOpen: boolean): PickItem<TrustRecord> {
  const { name, path } = placeOf(record);
  return {
    label: labelText(isOpen ? vscode.l10n.t('{0} (open)', name) : name),
    description: labelText(path),
    detail: labelText(`${coverText(record)} · ${boundText(record)}`),
    iconPath: new vscode.ThemeIcon(record.replaced ? 'workspace-untrusted' : 'workspace-trusted'),
    value: record,
  };
}

async function showRecord(
  service: McpService,
  documents: TextDocuments,
  record: TrustRecord,
): Promise<void> {
  const { name, path } = placeOf(record);
  const revoke = vscode.l10n.t('Revoke Trust');
  const show = vscode.l10n.t('Open as Document');
  const text = recordText(record);
  const isShort = text.length <= maxDialogText;
  const choice = await showWarning(
    vscode.l10n.t('MCP servers that you trust in "{0}"', name),
    { modal: true, detail: isShort ? `${path}\n\n${text}` : `${path}\n\n${coverText(record)}` },
    ...(isShort ? [revoke] : [show, revoke]),
  );
  if (choice === revoke) {
    await service.trust.revoke(record.folderUri);
  } else if (choice === show) {
    await documents.show(name, text);
  }
}

/** Characters; a dialog is no place for a long list. */
const maxDialogText = 1200;

async function revokeAll({ trust }: McpService, records: readonly TrustRecord[]): Promise<void> {
  const isWanted = await confirm(
    vscode.l10n.t('Revoke trust in the MCP servers of {0} folders?', records.length),
    {
      action: vscode.l10n.t('Revoke All'),
      detail: vscode.l10n.t('Their servers stop now and run only after you trust them again.'),
    },
  );
  if (isWanted) {
    await Promise.all(records.map(({ folderUri }) => trust.revoke(folderUri)));
  }
}

function placeOf({ folderUri }: TrustRecord): { readonly name: string; readonly path: string } {
  const uri = vscode.Uri.parse(folderUri);
  const path = uri.scheme === 'file' ? uri.fsPath : folderUri;
  return { name: path.split(/[\\/]/).findLast((part) => part !== '') ?? path, path };
}

/** Lets the user take back what servers may show; their open apps close. */
async function revokeApps(
  service: McpService,
  consents: AppConsents,
  apps: readonly AppConsent[],
): Promise<void> {
  const placeOfConsent = ({ folderUri }: AppConsent) =>
    folderUri === undefined
      ? vscode.l10n.t('in windows without a folder')
      : vscode.l10n.t(
          'in {0}',
          service.getPool(folderUri)?.folder?.name ?? vscode.Uri.parse(folderUri).fsPath,
        );
  const revoked = await pickMany<AppConsent>(
    apps.map((consent) => ({
      label: consent.server,
      description: placeOfConsent(consent),
      detail: reachText(consent),
      value: consent,
    })),
    vscode.l10n.t('Select MCP servers whose apps are no longer shown'),
  );
  for (const one of revoked) {
    await consents.revoke(one);
  }
}

function reachText({ permissions }: AppConsent): string {
  const origins = [...new Set(permissions.map((one) => one.slice(one.indexOf(' ') + 1)))];
  return origins.length > 0
    ? vscode.l10n.t('May reach {0}', origins.join(', '))
    : vscode.l10n.t('Requests to the network are blocked');
}
