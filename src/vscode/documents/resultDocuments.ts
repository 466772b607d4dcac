import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WholeToolResult } from '../../agent/tools/resultStore.js';
import { once } from '../../base/async/once.js';
import type { Disposable } from '../../base/disposable.js';
import type { TextDocuments } from './textDocuments.js';

const extensions: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'text/plain': 'txt',
};

/** Shows results of tools as read-only documents; binary parts become files that last as long as the window. */
export class ResultDocuments implements Disposable {
  private readonly makeFolder = once(() => mkdtemp(join(tmpdir(), 'pi-mcp-result-')));
  private folder: Promise<string> | undefined;
  private nextId = 1;

  constructor(private readonly documents: TextDocuments) {}

  /** @param file index of the binary part to open instead of the text. */
  async open(result: WholeToolResult, file: number | undefined): Promise<void> {
    const attachment = file === undefined ? undefined : result.attachments[file];
    if (attachment) {
      await this.openFile(result, attachment);
    } else {
      await this.openText(result);
    }
  }

  dispose(): void {
    void this.folder?.then(
      (path) => rm(path, { recursive: true, force: true }),
      () => undefined,
    );
  }

  private async openText({ server, tool, text }: WholeToolResult): Promise<void> {
    const isJson = /^\s*[[{]/.test(text);
    const name = `${fileName(server)} ${fileName(tool)}.${isJson ? 'json' : 'txt'}`;
    await vscode.window.showTextDocument(this.documents.add(`/${name}`, text), { preview: true });
  }

  private async openFile(
    { tool }: WholeToolResult,
    { mimeType, data }: WholeToolResult['attachments'][number],
  ): Promise<void> {
    this.folder = this.makeFolder();
    const extension = extensions[mimeType] ?? 'bin';
    const path = join(await this.folder, `${this.nextId++}-${fileName(tool)}.${extension}`);
    await writeFile(path, Buffer.from(data, 'base64'), { mode: 0o600 });
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
  }
}

/** Names come from servers: nothing in them may leave the folder. */
function fileName(name: string): string {
  return name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 80);
}
