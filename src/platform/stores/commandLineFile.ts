import { join } from 'node:path';
import { readTextFile } from '../boundedFile.js';
import { writeFileAtomic } from './storedFile.js';

const maxBytes = 64 * 1024;

/**
 * A program at a place that no version changes, for entries of configuration files: it is the command line of the
 * extension that is installed now.
 */
export class CommandLineFile {
  private readonly path: string;
  private readonly text: string;

  /** @param storageDir absolute path of a folder that only we write to */
  constructor(storageDir: string, extensionDir: string) {
    this.path = join(storageDir, 'pi-mcp.cjs');
    this.text = `require(${JSON.stringify(join(extensionDir, 'dist', 'cli.js'))});\n`;
  }

  /** @returns its absolute path */
  async write(): Promise<string> {
    await writeFileAtomic(this.path, this.text);
    return this.path;
  }

  /** After an update of the extension. Does nothing where nobody has asked for the file yet. */
  async refresh(): Promise<void> {
    // there is none
    const known = await readTextFile(this.path, maxBytes).catch(() => this.text);
    if (known !== this.text) {
      await this.write();
    }
  }
}
