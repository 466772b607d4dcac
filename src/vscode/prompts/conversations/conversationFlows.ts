/** What a user does with one conversation, whether it is picked from the list or shown in the view. */
import * as vscode from 'vscode';
import type { ConversationLibrary, ListedConversation } from '../../../agent/panel/library.js';
import type { TextDocuments } from '../../documents/textDocuments.js';
import { pickOne } from '../picks/picks.js';

/** Asks for a name; an empty one takes the name away. */
export async function renameConversation(
  library: ConversationLibrary,
  { id, title }: ListedConversation,
): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Conversation'),
    prompt: vscode.l10n.t('Leave it empty to call it by its first request again.'),
    value: title,
    ignoreFocusOut: true,
  });
  if (name !== undefined && name !== title) {
    await library.rename(id, name);
  }
}

export const exportFormats = ['markdown', 'json', 'jsonl'] as const;
type ExportFormat = (typeof exportFormats)[number];

export interface ExportWishes {
  /** Default: Markdown, unless the user names a file of another ending. */
  readonly format?: ExportFormat | undefined;
  /** Writes a file that Pi opens. Default: there is no such format. */
  readonly forPi?: ((path: string) => void) | undefined;
}

const formatLabels = { markdown: 'Markdown', json: 'JSON' } as const;

const endings = { markdown: 'md', json: 'json', jsonl: 'jsonl' } as const;

/** Asks which way: text to read here, or a file. */
export async function shareConversation(
  library: ConversationLibrary,
  documents: TextDocuments,
  conversation: ListedConversation,
  { forPi }: Pick<ExportWishes, 'forPi'>,
): Promise<void> {
  const file = (label: string, value: ExportFormat) => ({ label, value });
  const chosen = await pickOne<ExportFormat | 'text'>(
    [
      { label: vscode.l10n.t('Open as Text'), value: 'text' },
      file(formatLabels.markdown, 'markdown'),
      file(formatLabels.json, 'json'),
      ...(forPi ? [file(vscode.l10n.t('Pi session, with secrets'), 'jsonl')] : []),
    ],
    { title: vscode.l10n.t('Export Conversation') },
  );
  if (chosen === 'text') {
    await documents.show(conversation.title, await library.markdown(conversation));
  } else {
    await exportConversation(library, conversation, { format: chosen, forPi });
  }
}

/** Asks where to; the ending of the file says what it becomes. */
export async function exportConversation(
  library: ConversationLibrary,
  conversation: ListedConversation,
  { format = 'markdown', forPi }: ExportWishes = {},
): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${fileName(conversation.title)}.${endings[format]}`;
  const all = {
    markdown: { [formatLabels.markdown]: ['md'] },
    json: { [formatLabels.json]: ['json'] },
    jsonl: forPi ? { [vscode.l10n.t('Pi session, with secrets')]: ['jsonl'] } : {},
  };
  const target = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Conversation'),
    saveLabel: vscode.l10n.t('Export'),
    // the first one is chosen
    filters: { ...all[format], ...all.markdown, ...all.json, ...all.jsonl },
    defaultUri: folder && vscode.Uri.joinPath(folder, name),
  });
  if (target) {
    const path = target.path.toLowerCase();
    if (forPi && target.scheme === 'file' && path.endsWith('.jsonl')) {
      forPi(target.fsPath);
    } else {
      const isJson = path.endsWith('.json');
      const text = isJson ? await library.json(conversation) : await library.markdown(conversation);
      await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
    }
    await vscode.window.showTextDocument(target, { preview: true });
  }
}

/** A request becomes the name of a file. */
function fileName(title: string): string {
  const name = title.replace(/[^\p{Letter}\p{Number}]+/gu, '-').slice(0, 60);
  return name.replace(/^-|-$/g, '') || 'conversation';
}
