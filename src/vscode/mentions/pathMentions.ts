/** Files and folders of the workspace as mentions, and those that the user picks or drops. */
import * as vscode from 'vscode';
import type { Attachment } from '../../agent/panel/attachments/attachment.js';
import { CancellationError } from '../../base/async/cancellation.js';
import { HumanError } from '../../base/errors.js';
import type { McpServer } from '../../mcp/mcpApi.js';
import { realPathInFolder } from '../../platform/folderPath.js';
import { droppedResource } from '../../presentation/mentions/droppedResource.js';
import { folderTree } from '../../presentation/mentions/folderTree.js';
import { mentionWord, remotePath } from '../../presentation/mentions/placeNames.js';
import { bonusOfRecent, rank } from '../../presentation/mentions/ranking.js';
import { readDocumentUri, resourceScheme } from '../documents/resourceUris.js';
import type { FileIndex, IndexedPath } from './fileIndex.js';
import { fileAttachment, type Mention, mention, type PlacedFile, placedFile } from './mention.js';

/** Those that the letters name best; without letters the open files, and the first others where none is open. */
export async function pathMentions(index: FileIndex, query: string): Promise<readonly Mention[]> {
  const recent = index.recent();
  const all = await index.all();
  // of tens of thousands only those that are shown are made into rows
  const ranked = rank(
    query,
    candidates(all, (one) => (one.isFolder ? -1 : bonusOfRecent(recent.get(one.name)))),
  );
  const open = ranked.filter(({ bonus }) => bonus > 0).slice(0, maxOpen);
  const shown = query !== '' ? ranked : open.length > 0 ? open : ranked.slice(0, maxOthers);
  return shown.map(({ one, bonus }) => pathMention(one, index, bonus));
}

/** Without letters: open files, or others where none is open. */
const maxOpen = 10;
const maxOthers = 20;

function* candidates(all: readonly IndexedPath[], bonusOf: (one: IndexedPath) => number) {
  for (const one of all) {
    yield { one, search: one.search, bonus: bonusOf(one) };
  }
}

function pathMention(one: IndexedPath, index: FileIndex, bonus: number): Mention {
  const { name, isFolder, search } = one;
  const at = name.lastIndexOf('/', name.length - 2) + 1;
  const label = name.slice(at);
  return {
    kind: isFolder ? 'folder' : 'file',
    label,
    detail: name.slice(0, at),
    word: mentionWord(label),
    search,
    bonus,
    attach: async () => [isFolder ? await folderAttachment(one, index) : fileAttachment(one)],
  };
}

async function folderAttachment(place: PlacedFile, index: FileIndex): Promise<Attachment> {
  const path = place.path === '' || place.path.endsWith('/') ? place.path : `${place.path}/`;
  const name = place.name.endsWith('/') ? place.name : `${place.name}/`;
  const text = folderTree(await index.below({ folder: place.folder, path }));
  return { kind: 'text', what: 'folder', name, text };
}

/** The only way to files outside of the workspace: the user picks them in the editor's own dialog. */
export function chooseMention(): Mention {
  return mention(
    {
      kind: 'choose',
      label: vscode.l10n.t('Choose Files…'),
      detail: vscode.l10n.t('from anywhere on this machine'),
      word: '',
      attach: chooseFiles,
    },
    'choose files',
  );
}

async function chooseFiles(): Promise<readonly Attachment[]> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Attach'),
    openLabel: vscode.l10n.t('Attach'),
    canSelectMany: true,
    defaultUri: folder,
  });
  if (!chosen) {
    throw new CancellationError();
  }
  return chosen.map((uri): Attachment => {
    const place = placedFile(uri);
    const { fsPath } = uri;
    return place
      ? fileAttachment(place)
      : { kind: 'file', name: fsPath.replaceAll('\\', '/'), path: fsPath };
  });
}

/**
 * What was dropped, by its address.
 * @param servers those that the conversation may use
 * @throws {HumanError} for what is in no folder of the workspace, links counted, and is no resource of the servers
 */
export async function droppedAttachment(
  address: string,
  index: FileIndex,
  servers: readonly McpServer[],
): Promise<Attachment> {
  const uri = localUri(address);
  if (uri?.scheme === resourceScheme) {
    const isOpen = vscode.workspace.textDocuments.some(
      (one) => one.uri.toString() === uri.toString(),
    );
    return droppedResource(readDocumentUri(uri), servers, isOpen);
  }
  const place = uri && placedFile(uri);
  if (!uri || !place) {
    throw outside(uri ? lastPart(uri.path) : address);
  }
  const real = await realPathInFolder(place.folder.uri.fsPath, uri.fsPath);
  const { type } = await vscode.workspace.fs.stat(vscode.Uri.file(real));
  const isFolder = (type & vscode.FileType.Directory) !== 0;
  return isFolder ? await folderAttachment(place, index) : fileAttachment(place);
}

/** On the machine on which this code runs, which addresses of a remote window name otherwise. */
function localUri(address: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(address, true);
    const path =
      uri.scheme === 'vscode-remote' ? remotePath(uri, vscode.env.remoteName) : undefined;
    return path === undefined ? uri : vscode.Uri.file(path);
  } catch {
    // no address
    return undefined;
  }
}

function outside(name: string): HumanError {
  return new HumanError(
    'attachment_outside',
    vscode.l10n.t('{0}: {1}', name.slice(-100), vscode.l10n.t('Outside the workspace folder.')),
    { remedy: vscode.l10n.t('Type @ and use Choose Files… to attach it.') },
  );
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
