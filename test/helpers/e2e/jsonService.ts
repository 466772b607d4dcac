/** VS Code's own JSON language server with the schema of the extension, without an editor around it. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isJsonObject, type JsonObject } from '../../../src/base/json.js';

const root = resolve(import.meta.dirname, '../../..');
const server = resolve(
  root,
  '.workbench/node_modules/code-server/lib/vscode/extensions/json-language-features/server/dist/node/jsonServerMain.js',
);
const schema: unknown = JSON.parse(
  readFileSync(resolve(root, 'media/schemas/mcp.schema.json'), 'utf8'),
);

export interface Suggestion {
  readonly label: string;
  /** As a snippet. */
  readonly inserted: string;
}

export class JsonService {
  private readonly process = spawn(process.execPath, [server, '--stdio'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  private readonly waiting = new Map<number, (result: unknown) => void>();
  private received = Buffer.alloc(0);
  private lastId = 0;
  private documents = 0;

  async start(): Promise<void> {
    this.process.stdout.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.readMessages();
    });
    const completionItem = { snippetSupport: true };
    await this.request('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: { textDocument: { completion: { completionItem }, diagnostic: {} } },
      initializationOptions: { handledSchemaProtocols: ['file'] },
    });
    this.send({ method: 'initialized', params: {} });
    const association = { fileMatch: ['/.mcp.json'], uri: 'file:///schema.json', schema };
    this.send({ method: 'json/schemaAssociations', params: [[association]] });
  }

  stop(): void {
    this.process.kill();
  }

  /** What is offered at the bar in a text. */
  async suggest(marked: string): Promise<readonly Suggestion[]> {
    const { uri, position } = this.open(marked);
    const result = await this.request('textDocument/completion', {
      textDocument: { uri },
      position,
    });
    return items(result).map(({ label, insertText, textEdit }) => ({
      label: String(label),
      inserted: String(isJsonObject(textEdit) ? textEdit.newText : insertText),
    }));
  }

  /** Markdown of the hover at the bar in a text. */
  async hover(marked: string): Promise<string> {
    const { uri, position } = this.open(marked);
    return JSON.stringify(
      await this.request('textDocument/hover', { textDocument: { uri }, position }),
    );
  }

  /** Errors of a text; all else is advice of the schema. */
  async errors(text: string): Promise<readonly string[]> {
    const { uri } = this.open(`${text}|`);
    const result = await this.request('textDocument/diagnostic', { textDocument: { uri } });
    return items(result)
      .filter(({ severity }) => severity === 1)
      .map(({ source, message }) => `${String(source)}: ${String(message)}`);
  }

  private open(marked: string) {
    const offset = marked.indexOf('|');
    const before = marked.slice(0, offset).split('\n');
    const uri = `file:///workspace${++this.documents}/.mcp.json`;
    const text = marked.slice(0, offset) + marked.slice(offset + 1);
    this.send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'json', version: 1, text } },
    });
    return { uri, position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 } };
  }

  private request(method: string, params: unknown): Promise<unknown> {
    const id = ++this.lastId;
    return new Promise((resolveRequest) => {
      this.waiting.set(id, resolveRequest);
      this.send({ id, method, params });
    });
  }

  private send(message: object): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  private readMessages(): void {
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      const length = Number(
        /Content-Length: (\d+)/.exec(this.received.toString('utf8', 0, end))?.[1],
      );
      if (end === -1 || this.received.length < end + 4 + length) {
        return;
      }
      const body = this.received.toString('utf8', end + 4, end + 4 + length);
      this.received = this.received.subarray(end + 4 + length);
      this.take(JSON.parse(body));
    }
  }

  private take(message: JsonObject): void {
    const { id, method, result } = message;
    if (method !== undefined && id !== undefined) {
      // whatever it asks for is left at its default
      this.send({ id, result: null });
    } else if (typeof id === 'number') {
      this.waiting.get(id)?.(result);
      this.waiting.delete(id);
    }
  }
}

function items(result: unknown): readonly JsonObject[] {
  const found = isJsonObject(result) && Array.isArray(result.items) ? result.items : [];
  return found.filter(isJsonObject);
}
