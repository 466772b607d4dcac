/** What MCP servers sent in one conversation, where its file has only a part of it: whole, in a folder beside that file. */
import { createHash } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { isJsonObject, type JsonObject } from '../../base/json.js';
import type { McpServerId } from '../../config/definition.js';
import type { MaskText } from '../../config/secrets/secretMask.js';
import type { McpToolResult } from '../../mcp/mcpTypes.js';
import { readBinaryFile } from '../../platform/boundedFile.js';
import { writeFileAtomic } from '../../platform/stores/storedFile.js';
import { makeOwnFolder } from '../changes/blobs.js';
import { folderBeside } from '../changes/prune.js';

export interface StoredResult {
  readonly serverId: McpServerId;
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly result: McpToolResult;
}

/** Characters of JSON of one result; larger ones last as long as the window. */
const maxResultLength = 32 * 1024 * 1024;
/** Bytes on disk of one conversation; the oldest make room. */
const maxTotalBytes = 64 * 1024 * 1024;

const zip = promisify(gzip);
const unzip = promisify(gunzip);

export const resultsSuffix = '.results';

/** Beside the conversation, and gone with it. */
export function resultsFolder(conversationFile: string): string {
  return folderBeside(conversationFile, resultsSuffix);
}

export class ResultFiles {
  /** Names of those that are kept, oldest first, with their bytes. */
  private readonly known: Map<string, number>;

  private constructor(
    private readonly directory: string,
    known: readonly (readonly [name: string, bytes: number])[],
    private readonly maxBytes: number,
  ) {
    this.known = new Map(known);
  }

  static async open(conversationFile: string, maxBytes = maxTotalBytes): Promise<ResultFiles> {
    const directory = resultsFolder(conversationFile);
    return new ResultFiles(directory, await listFiles(directory), maxBytes);
  }

  has(toolCallId: string): boolean {
    return this.known.has(nameOf(toolCallId));
  }

  /**
   * Resolves when it is on disk, or is too large for that.
   * @param shown all text of it that the conversation's own file has; in what goes beyond, secrets are masked
   * @throws when it cannot be written
   */
  async add(
    toolCallId: string,
    stored: StoredResult,
    { shown, mask }: { readonly shown: string; readonly mask: MaskText },
  ): Promise<void> {
    const result = maskBeyond(stored.result, shown, mask);
    const json = JSON.stringify({ ...stored, result });
    if (json.length > maxResultLength) {
      return;
    }
    const bytes = await zip(json);
    if (bytes.byteLength > this.maxBytes) {
      return;
    }
    const name = nameOf(toolCallId);
    await makeOwnFolder(this.directory);
    await writeFileAtomic(join(this.directory, name), bytes);
    this.known.delete(name);
    this.known.set(name, bytes.byteLength);
    await this.makeRoom();
  }

  /** `undefined` for what is not kept, or was damaged. */
  async get(toolCallId: string): Promise<StoredResult | undefined> {
    if (!this.has(toolCallId)) {
      return undefined;
    }
    try {
      const path = join(this.directory, nameOf(toolCallId));
      const bytes = await readBinaryFile(path, this.maxBytes);
      // characters may take up to three bytes
      const json = await unzip(bytes, { maxOutputLength: 3 * maxResultLength });
      return readStored(JSON.parse(json.toString()));
    } catch {
      // gone, or nothing that was stored
      return undefined;
    }
  }

  private async makeRoom(): Promise<void> {
    let total = [...this.known.values()].reduce((sum, bytes) => sum + bytes, 0);
    for (const [name, bytes] of [...this.known]) {
      if (total <= this.maxBytes) {
        return;
      }
      total -= bytes;
      this.known.delete(name);
      await rm(join(this.directory, name), { force: true });
    }
  }
}

/** Whole files alone, in the order in which they were written. */
async function listFiles(directory: string) {
  try {
    if (!(await lstat(directory)).isDirectory()) {
      return [];
    }
    const names = (await readdir(directory)).filter((name) => /^[0-9a-f]{64}\.gz$/.test(name));
    const found = await Promise.all(
      names.map(async (name) => ({ name, stats: await lstat(join(directory, name)) })),
    );
    return found
      .filter(({ stats }) => stats.isFile())
      .sort((a, b) => a.stats.mtimeMs - b.stats.mtimeMs)
      .map(({ name, stats }) => [name, stats.size] as const);
  } catch {
    // nothing was kept yet
    return [];
  }
}

/** Ids are of the model's provider, and may be anything. */
function nameOf(toolCallId: string): string {
  return `${createHash('sha256').update(toolCallId).digest('hex')}.gz`;
}

function maskBeyond(result: McpToolResult, shown: string, mask: MaskText): unknown {
  const text = JSON.stringify(result, function (this: JsonObject, key, item: unknown) {
    return typeof item !== 'string' || isBinary(this, key) || shown.includes(item)
      ? item
      : mask(item);
  });
  return JSON.parse(text);
}

/** Base64 of a picture, a sound or a resource, which says so beside it: other members may be called alike. */
function isBinary({ mimeType, uri }: JsonObject, key: string): boolean {
  return (key === 'data' && mimeType !== undefined) || (key === 'blob' && uri !== undefined);
}

function readStored(value: unknown): StoredResult | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const { serverId, server, tool, args, result } = value;
  const areTexts = [serverId, server, tool].every((one) => typeof one === 'string');
  return areTexts && isJsonObject(args) && isJsonObject(result) && isContent(result.content)
    ? (value as unknown as StoredResult)
    : undefined;
}

function isContent(value: unknown): boolean {
  return Array.isArray(value) && value.every(isJsonObject);
}
