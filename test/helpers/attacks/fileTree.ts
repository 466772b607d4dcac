import { execFileSync } from 'node:child_process';
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Target of a symbolic link, relative to the link or absolute. */
export class Link {
  constructor(readonly target: string) {}
}

/** A script that may be executed. */
export class Program {
  constructor(
    readonly script: string,
    readonly interpreter = '/bin/sh',
  ) {}
}

/** A named pipe that nobody writes to. */
export class Pipe {}

/** A file of that many bytes, none of which is on the disk. */
export class Sparse {
  constructor(readonly bytes: number) {}
}

/** Path in the folder → content; an object is written as JSON. */
export type FileTree = Readonly<Record<string, string | Uint8Array | Link | object>>;

/** Files replace those that exist; links do not. */
export async function createFileTree(folder: string, tree: FileTree): Promise<void> {
  for (const [path, content] of Object.entries(tree)) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    if (content instanceof Link) {
      await symlink(content.target, target);
    } else if (content instanceof Program) {
      await writeFile(target, `#!${content.interpreter}\n${content.script}\n`, { mode: 0o755 });
    } else if (content instanceof Pipe) {
      execFileSync('mkfifo', [target]);
    } else if (content instanceof Sparse) {
      await writeFile(target, '');
      await truncate(target, content.bytes);
    } else {
      const isText = typeof content === 'string' || content instanceof Uint8Array;
      await writeFile(target, isText ? content : JSON.stringify(content));
    }
  }
}
