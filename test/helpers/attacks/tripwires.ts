import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { misbehaveScript } from '../../fixtures/connections.js';

/** Files that appear when something ran. */
export class Tripwires {
  private constructor(private readonly folder: string) {}

  /** In a new folder at that path. */
  static async create(folder: string): Promise<Tripwires> {
    await mkdir(folder);
    return new Tripwires(folder);
  }

  /** Where the file of that label would appear. */
  path(label: string): string {
    return join(this.folder, label);
  }

  /** A launch that leaves its file and is then a server whose tool `echo` returns `message`. */
  launch(label: string): { readonly command: string; readonly args: readonly string[] } {
    const script = ': > "$0"; exec "$@"';
    return {
      command: 'sh',
      args: ['-c', script, this.path(label), process.execPath, misbehaveScript],
    };
  }

  /** A configured value that is what a command prints, which leaves its file. */
  commandValue(label: string): string {
    return `!touch '${this.path(label)}'; echo printed`;
  }

  /** Labels of what ran, sorted. */
  async sprung(): Promise<readonly string[]> {
    return (await readdir(this.folder)).sort();
  }
}
