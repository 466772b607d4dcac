import { hash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, parseJsonObject } from '../../../base/json.js';
import type { McpServerDefinition } from '../../../config/definition.js';
import { hashOf } from '../../../config/launch/launchHash.js';
import { readTextFile } from '../../../platform/boundedFile.js';
import { underFileLock } from '../../../platform/stores/fileLock.js';
import { readFileIfAny, writeFileAtomic } from '../../../platform/stores/storedFile.js';
import { type DefinitionPins, type PinnedDefinition, toPins } from './settleDefinitions.js';

/** Of one server; what it does not list now goes first. */
const maxPins = 20_000;
/** As much as a catalog may have that is kept. */
const maxFileBytes = 64 * 1024 * 1024;

/** What a person agreed to of each server, one file a server, which all windows share. */
export class DefinitionPinFiles {
  private readonly inMemory = new Map</* path */ string, string>();
  private readonly writing = new Set<Promise<unknown>>();

  /** @param directory absolute, created when needed; `undefined` keeps all in memory */
  constructor(private readonly directory: string | undefined) {}

  /**
   * `undefined`: nothing of this launch was agreed to yet. A file that is damaged holds no pin, so that everything counts
   * as changed. @throws the system error of a file that cannot be read
   */
  async load(definition: McpServerDefinition): Promise<DefinitionPins | undefined> {
    const text = await this.read(this.pathOf(definition));
    if (text === undefined) {
      return undefined;
    }
    const { launch, definitions } = parseJsonObject(text) ?? {};
    if (typeof launch === 'string' && launch !== hashOf(definition)) {
      return undefined;
    }
    return toPins(Array.isArray(definitions) ? definitions.filter(isPinned) : []);
  }

  /**
   * Adds to what is stored, or takes its place.
   * @param listed keys of {@link DefinitionPins} that the server has now
   * @returns what is stored then @throws the system error, or a {@link HumanError} while the file stays locked
   */
  add(
    definition: McpServerDefinition,
    agreed: readonly PinnedDefinition[],
    listed: ReadonlySet<string>,
  ): Promise<DefinitionPins> {
    const path = this.pathOf(definition);
    const work = this.locked(path, async (isWanted) => {
      const pins = toPins([...((await this.load(definition))?.values() ?? []), ...agreed]);
      const kept =
        pins.size > maxPins ? new Map([...pins].filter(([key]) => listed.has(key))) : pins;
      const document = { launch: hashOf(definition), definitions: [...kept.values()] };
      return (await this.write(path, JSON.stringify(document), isWanted)) ? kept : undefined;
    });
    const tracked = work.catch(() => undefined).finally(() => this.writing.delete(tracked));
    this.writing.add(tracked);
    return work;
  }

  /** Resolves when all that was added is stored, or could not be. */
  async flush(): Promise<void> {
    await Promise.all(this.writing);
  }

  private async locked(
    path: string,
    work: (isHeld: () => boolean) => Promise<DefinitionPins | undefined>,
  ): Promise<DefinitionPins> {
    if (this.directory === undefined) {
      return (await work(() => true)) ?? new Map();
    }
    await mkdir(this.directory, { recursive: true });
    return await underFileLock(`${path}.lock`, work);
  }

  private async read(path: string): Promise<string | undefined> {
    return this.directory === undefined
      ? this.inMemory.get(path)
      : readFileIfAny(path, { readTextFile: (file) => readTextFile(file, maxFileBytes) });
  }

  private async write(path: string, text: string, isWanted: () => boolean): Promise<boolean> {
    if (this.directory === undefined) {
      this.inMemory.set(path, text);
      return true;
    }
    return await writeFileAtomic(path, text, { isWanted });
  }

  private pathOf({ id }: McpServerDefinition): string {
    return join(this.directory ?? '', `${hash('sha256', id).slice(0, 32)}.json`);
  }
}

function isPinned(value: unknown): value is PinnedDefinition {
  return (
    isJsonObject(value) &&
    ['tool', 'prompt', 'skill', 'instructions'].includes(String(value.kind)) &&
    typeof value.name === 'string' &&
    typeof value.fingerprint === 'string' &&
    isJsonObject(value.definition)
  );
}
