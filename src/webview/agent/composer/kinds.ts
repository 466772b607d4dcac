/** Icons and words of what goes with a message. */
import * as l10n from '@vscode/l10n';
import type { AttachmentKind } from '../../../protocol/attachments.js';

export function kindIcon(kind: AttachmentKind | 'choose'): string {
  switch (kind) {
    case 'resource':
      return 'plug';
    case 'file':
      return 'file';
    case 'folder':
      return 'folder';
    case 'symbol':
      return 'symbol-method';
    case 'selection':
      return 'list-selection';
    case 'problems':
      return 'warning';
    case 'terminal':
      return 'terminal';
    case 'changes':
      return 'git-compare';
    case 'pasted':
      return 'clippy';
    case 'image':
      return 'file-media';
    case 'choose':
      return 'folder-opened';
  }
}

export function kindWord(kind: AttachmentKind): string {
  switch (kind) {
    case 'resource':
      return l10n.t('Resource');
    case 'file':
      return l10n.t('File');
    case 'folder':
      return l10n.t('Folder');
    case 'symbol':
      return l10n.t('Symbol');
    case 'selection':
      return l10n.t('Selection');
    case 'problems':
      return l10n.t('Problems');
    case 'terminal':
      return l10n.t('Terminal');
    case 'changes':
      return l10n.t('Changes');
    case 'pasted':
      return l10n.t('Pasted text');
    case 'image':
      return l10n.t('Image');
  }
}
