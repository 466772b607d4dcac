/** Unix sockets, each in a folder of its own that is closed to others before the socket is there. */
import { lstat, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { delay } from '../base/async/cancellation.js';
import { errorCode } from '../base/errors.js';

const prefix = 'pi-mcp-';
const socketName = 's';
/** What `mkdtemp` makes of the prefix. */
const folderName = /^pi-mcp-[A-Za-z0-9]{6}$/;
/** A socket is bound a moment before it listens; milliseconds. */
const bindMs = 200;

/** Where a socket may be. Short, since some systems take no more than a hundred characters. */
export async function createSocketPath(): Promise<string> {
  return join(await mkdtemp(join(tmpdir(), prefix)), socketName);
}

export async function removeSocketPath(path: string): Promise<void> {
  await rm(dirname(path), { recursive: true, force: true });
}

/**
 * Removes the sockets of processes that were killed: those in folders such as ours that belong to this user, are closed
 * to others and hold nothing else, on which nobody answers. Never rejects.
 */
export async function sweepSockets(): Promise<void> {
  if (process.platform === 'win32') {
    return;
  }
  const names = await readdir(tmpdir()).catch(() => []);
  const paths = names.filter((name) => folderName.test(name)).map((name) => join(tmpdir(), name));
  await Promise.all(paths.map((path) => sweepFolder(path).catch(() => undefined)));
}

async function sweepFolder(folder: string): Promise<void> {
  const path = join(folder, socketName);
  if (!(await isOurs(folder)) || !(await isRefused(path))) {
    return;
  }
  await delay(bindMs);
  if (await isRefused(path)) {
    await rm(path);
    await rmdir(folder);
  }
}

async function isOurs(folder: string): Promise<boolean> {
  const { uid, mode } = await lstat(folder);
  const own = uid === process.getuid?.() && (mode & 0o077) === 0;
  const names = own ? await readdir(folder) : [];
  return (
    names.length === 1 &&
    names[0] === socketName &&
    (await lstat(join(folder, socketName))).isSocket()
  );
}

/** Whoever listens, however busy, takes the connection or lets it wait. */
function isRefused(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => finish(false));
    const finish = (refused: boolean) => {
      socket.destroy();
      resolve(refused);
    };
    socket.once('error', (error) => finish(errorCode(error) === 'ECONNREFUSED'));
  });
}
