/** Bundles (`.mcpb`) as their tool packs them, and archives that no tool would make. */
import { crc32, deflateRawSync } from 'node:zlib';
import { zipSync } from 'fflate';

export const manifest = {
  manifest_version: '0.3',
  name: 'notes',
  display_name: 'Notes',
  version: '1.2.0',
  description: 'Keeps notes',
  author: { name: 'Example' },
  server: {
    type: 'node',
    entry_point: 'server/index.mjs',
    mcp_config: {
      command: process.execPath,
      args: ['${__dirname}/server/index.mjs', '${user_config.folders}'],
      env: { API_KEY: '${user_config.api_key}' },
    },
  },
  user_config: {
    api_key: { type: 'string', title: 'API Key', description: '', sensitive: true, required: true },
    folders: {
      type: 'directory',
      title: 'Folders',
      description: 'What it may read',
      multiple: true,
      default: ['${HOME}/notes', '${HOME}/more'],
    },
  },
};

type Files = Readonly<Record<string, string | Buffer>>;

/** As `mcpb pack` makes it. */
export function packBundle(
  files: Files = { 'server/index.mjs': '' },
  about: object = manifest,
): Buffer {
  const all = { 'manifest.json': JSON.stringify(about), ...files };
  const bytes = Object.entries(all).map(([path, text]) => [path, Buffer.from(text)]);
  return Buffer.from(zipSync(Object.fromEntries(bytes)));
}

/** As `mcpb sign` does it. */
export function signed(bundle: Buffer): Buffer {
  const signature = Buffer.from('of somebody');
  const length = Buffer.alloc(4);
  length.writeUInt32LE(signature.byteLength);
  return Buffer.concat([
    bundle,
    Buffer.from('MCPB_SIG_V1'),
    length,
    signature,
    Buffer.from('MCPB_SIG_END'),
  ]);
}

/** One file of an archive, with what its headers say instead of the truth. */
export interface RawFile {
  readonly path: string | Buffer;
  readonly text?: string;
  /** In the second header. Default: as in the directory. */
  readonly localPath?: string;
  readonly flags?: number;
  readonly method?: number;
  /** Of Unix. */
  readonly mode?: number;
  readonly size?: number;
  readonly crc?: number;
  readonly extra?: Buffer;
  /** Bytes between its data and the next file. */
  readonly behind?: Buffer;
  /** Its data is that of the first file. */
  readonly isShared?: boolean;
}

interface RawArchive {
  readonly before?: Buffer;
  readonly behind?: Buffer;
  readonly comment?: Buffer;
  readonly count?: number;
  readonly disk?: number;
}

/** An archive, byte by byte. */
export function rawZip(files: readonly RawFile[], archive: RawArchive = {}): Buffer {
  const { before = Buffer.alloc(0), behind = Buffer.alloc(0), comment = Buffer.alloc(0) } = archive;
  const local: Buffer[] = [before];
  const central: Buffer[] = [];
  let offset = before.byteLength;
  for (const file of files) {
    const data = Buffer.from(file.text ?? '');
    const method = file.method ?? 8;
    const packed = method === 8 ? deflateRawSync(data) : data;
    const at = file.isShared ? before.byteLength : offset;
    const fields = fieldsOf(file, data, packed.byteLength);
    if (!file.isShared) {
      const name = Buffer.from(file.localPath ?? file.path);
      const extra = file.extra ?? Buffer.alloc(0);
      const header = Buffer.alloc(30);
      header.writeUInt32LE(0x04034b50);
      header.writeUInt16LE(20, 4);
      fields.copy(header, 6);
      header.writeUInt16LE(name.byteLength, 26);
      header.writeUInt16LE(extra.byteLength, 28);
      const parts = [header, name, extra, packed, file.behind ?? Buffer.alloc(0)];
      local.push(...parts);
      offset += parts.reduce((sum, part) => sum + part.byteLength, 0);
    }
    central.push(directoryEntry(file, fields, at));
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(archive.disk ?? 0, 4);
  end.writeUInt16LE(archive.count ?? files.length, 8);
  end.writeUInt16LE(archive.count ?? files.length, 10);
  end.writeUInt32LE(directory.byteLength, 12);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.byteLength, 20);
  return Buffer.concat([...local, directory, end, comment, behind]);
}

/** Flags, method, time, checksum and sizes: the same in both headers. */
function fieldsOf({ flags = 0, method = 8, ...file }: RawFile, data: Buffer, packed: number) {
  const fields = Buffer.alloc(20);
  fields.writeUInt16LE(flags, 0);
  fields.writeUInt16LE(method, 2);
  fields.writeUInt32LE(file.crc ?? crc32(data), 8);
  fields.writeUInt32LE(packed, 12);
  fields.writeUInt32LE(file.size ?? data.byteLength, 16);
  return fields;
}

function directoryEntry(file: RawFile, fields: Buffer, at: number): Buffer {
  const name = Buffer.from(file.path);
  const extra = file.extra ?? Buffer.alloc(0);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50);
  header.writeUInt16LE((3 << 8) | 20, 4);
  fields.copy(header, 8);
  header.writeUInt16LE(name.byteLength, 28);
  header.writeUInt16LE(extra.byteLength, 30);
  header.writeUInt32LE(((file.mode ?? 0) << 16) >>> 0, 38);
  header.writeUInt32LE(at, 42);
  return Buffer.concat([header, name, extra]);
}
