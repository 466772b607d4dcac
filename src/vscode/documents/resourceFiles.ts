import * as vscode from 'vscode';
import { DisposableOwner } from '../../base/disposable.js';
import { errorMessage } from '../../base/errors.js';
import { serverUnknown } from '../../config/errors.js';
import { resourceBytes } from '../../mcp/catalog/resourceFile.js';
import type { McpServer, McpService } from '../../mcp/mcpApi.js';
import { readDocumentUri, resourceScheme, toDocumentUri } from './resourceUris.js';

/** Editors ask for the size and then for the bytes; both come from one reading. */
const maxKept = 50;

interface KeptFile {
  readonly bytes: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly readAt: number;
}

/** Resources of servers as read-only files: text, images and whatever else VS Code has an editor for. */
export class ResourceFiles extends DisposableOwner implements vscode.FileSystemProvider {
  private readonly changeEmitter = this.store.add(
    new vscode.EventEmitter<vscode.FileChangeEvent[]>(),
  );
  private readonly kept = new Map</* document uri */ string, Promise<KeptFile>>();
  readonly onDidChangeFile = this.changeEmitter.event;

  constructor(private readonly service: McpService) {
    super();
    this.store.add(
      vscode.workspace.registerFileSystemProvider(resourceScheme, this, {
        isReadonly: true,
        isCaseSensitive: true,
      }),
    );
  }

  async open(server: McpServer, uri: string, mimeType: string | undefined): Promise<void> {
    const target = toDocumentUri(server, uri, mimeType);
    this.kept.delete(target.toString());
    // an editor would show an error page of its own; the command says what to do
    await this.read(target);
    await vscode.commands.executeCommand('vscode.open', target);
  }

  watch(target: vscode.Uri): vscode.Disposable {
    const { server, uri } = readDocumentUri(target);
    const watch = this.service.getServer(server)?.watchResource(uri, () => {
      this.kept.delete(target.toString());
      this.changeEmitter.fire([{ type: vscode.FileChangeType.Changed, uri: target }]);
    });
    return new vscode.Disposable(() => watch?.dispose());
  }

  async stat(target: vscode.Uri): Promise<vscode.FileStat> {
    const { bytes, readAt } = await this.read(target);
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: readAt,
      size: bytes.byteLength,
      permissions: vscode.FilePermission.Readonly,
    };
  }

  async readFile(target: vscode.Uri): Promise<Uint8Array> {
    return (await this.read(target)).bytes;
  }

  readDirectory(): never {
    throw vscode.FileSystemError.FileNotADirectory();
  }

  createDirectory(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  writeFile(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  delete(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  rename(): never {
    throw vscode.FileSystemError.NoPermissions();
  }

  private read(target: vscode.Uri): Promise<KeptFile> {
    const key = target.toString();
    const known = this.kept.get(key);
    if (known) {
      return known;
    }
    const reading = this.load(target);
    this.kept.set(key, reading);
    for (const oldest of [...this.kept.keys()].slice(0, -maxKept)) {
      this.kept.delete(oldest);
    }
    // the next look asks the server again
    reading.catch(() => this.kept.delete(key));
    return reading;
  }

  private async load(target: vscode.Uri): Promise<KeptFile> {
    const { server: id, uri } = readDocumentUri(target);
    const server = this.service.getServer(id);
    if (!server) {
      throw vscode.FileSystemError.FileNotFound(serverUnknown().message);
    }
    try {
      const bytes = resourceBytes(await server.readResource(uri));
      return { bytes, readAt: Date.now() };
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(errorMessage(error));
    }
  }
}
