/** Icons and words of what goes with a message. */
import * as l10n from '@vscode/l10n';
import type { AttachmentKind } from '../../../protocol/attachments.js';

const icons: Readonly<Record<AttachmentKind | 'choose', string>> = {
  resource: 'plug',
  tools: 'tools',
  file: 'file',
  folder: 'folder',
  symbol: 'symbol-method',
  selection: 'list-selection',
  problems: 'warning',
  terminal: 'terminal',
  changes: 'git-compare',
  pasted: 'clippy',
  image: 'file-media',
  choose: 'folder-opened',
};

export const kindIcon = (kind: AttachmentKind | 'choose'): string => icons[kind];

const words: Readonly<Record<AttachmentKind, () => string>> = {
  resource: () => l10n.t('Resource'),
  tools: () => l10n.t('Tools'),
  file: () => l10n.t('File'),
  folder: () => l10n.t('Folder'),
  symbol: () => l10n.t('Symbol'),
  selection: () => l10n.t('Selection'),
  problems: () => l10n.t('Problems'),
  terminal: () => l10n.t('Terminal'),
  changes: () => l10n.t('Changes'),
  pasted: () => l10n.t('Pasted text'),
  image: () => l10n.t('Image'),
};

export const kindWord = (kind: AttachmentKind): string => words[kind]();
