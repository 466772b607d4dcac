import { join } from 'node:path';
import { HumanError } from '../../base/errors.js';
import { parseJsonObject } from '../../base/json.js';
import type { SecretStore } from '../../platform/ports.js';
import { underFileLock } from '../../platform/stores/fileLock.js';
import { readFileIfAny, realFiles, writeFileAtomic } from '../../platform/stores/storedFile.js';

/**
 * The accounts of the command line, which has no secret storage of an editor: one file that only its user may read, in
 * a folder that only its user may enter. Every look is a look at the file, since several processes share it.
 */
export class FileSecrets implements SecretStore {
  readonly path: string;

  /** @param directory absolute; made when something is stored. */
  constructor(private readonly directory: string) {
    this.path = join(directory, 'accounts.json');
  }

  async get(key: string): Promise<string | undefined> {
    return (await this.read()).get(key);
  }

  store(key: string, value: string): Promise<void> {
    return this.change((values) => values.set(key, value));
  }

  async delete(key: string): Promise<void> {
    // nothing is made where there is nothing to delete
    if ((await this.get(key)) !== undefined) {
      await this.change((values) => values.delete(key));
    }
  }

  private async change(apply: (values: Map<string, string>) => unknown): Promise<void> {
    await realFiles.mkdir(this.directory, { recursive: true, mode: 0o700 });
    await underFileLock(`${this.path}.lock`, async (isWanted) => {
      const values = await this.read();
      apply(values);
      const text = `${JSON.stringify(Object.fromEntries(values), undefined, 2)}\n`;
      return (await writeFileAtomic(this.path, text, { isWanted })) || undefined;
    });
  }

  private async read(): Promise<Map<string, string>> {
    const text = await readFileIfAny(this.path);
    const values = text === undefined ? new Map<string, string>() : parse(text);
    if (!values) {
      throw new HumanError('accounts_damaged', `${this.path} cannot be read.`, {
        remedy: 'Delete the file, and sign in again.',
      });
    }
    return values;
  }
}

function parse(text: string): Map<string, string> | undefined {
  const value = parseJsonObject(text);
  const isText = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === 'string';
  return value && new Map(Object.entries(value).filter(isText));
}
