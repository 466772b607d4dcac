/** A resource as a file that an editor can show: its name and its bytes. */
import * as l10n from '@vscode/l10n';
import { trimEndOf } from '../../base/text/trim.js';
import type { McpResourceContents } from '../mcpTypes.js';

const extensions: Readonly<Record</* MIME type */ string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/xml': 'xml',
  'application/yaml': 'yaml',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/webp': 'webp',
  'text/css': 'css',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/javascript': 'js',
  'text/markdown': 'md',
  'text/plain': 'txt',
};

/** Last part of the address, with an extension that fits the type. Never a path. */
export function resourceFileName(uri: string, mimeType: string | undefined): string {
  const path = trimEndOf(uri.replace(/[?#].*$/s, ''), '/');
  const last = decode(path.slice(path.lastIndexOf('/') + 1)).replace(/[\\/:\p{C}]/gu, '_');
  const name = last.slice(-100) || 'resource';
  const type = mimeType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const extension = extensions[type];
  return extension === undefined || /\.\w{1,8}$/.test(name) ? name : `${name}.${extension}`;
}

/** Several contents, as a directory has them, become one text with a heading for each. */
export function resourceBytes(contents: readonly McpResourceContents[]): Uint8Array {
  const [only] = contents;
  if (only && contents.length === 1) {
    return only.blob === undefined
      ? Buffer.from(only.text ?? '', 'utf8')
      : Buffer.from(only.blob, 'base64');
  }
  const parts = contents.map(({ uri, text, blob, mimeType }) => {
    const size = Buffer.byteLength(blob ?? '', 'base64');
    return `# ${uri}\n\n${text ?? l10n.t('[{0} bytes of {1}]', size, mimeType ?? 'binary')}\n`;
  });
  return Buffer.from(parts.join('\n'), 'utf8');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // an address with a stray percent sign
    return text;
  }
}
