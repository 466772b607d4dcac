import { toDisposable } from '../../base/disposable.js';
import { nullLoggers } from '../../config/ports.js';
import {
  type ChosenProfiles,
  parseChosenProfiles,
} from '../../mcp/catalog/records/toolProfiles.js';
import type { KeptValue } from '../../platform/ports.js';
import { RecordStore } from '../../platform/stores/recordStore.js';

/**
 * The profiles that the user chose on the command line, by folder, beside the consent that was given there. What was
 * chosen in VS Code is kept by its window.
 */
export class ProfileStore extends RecordStore<ChosenProfiles> implements KeptValue<ChosenProfiles> {
  /** Reads the file. */
  static async open(directory: string): Promise<ProfileStore> {
    const store = new ProfileStore({
      directory,
      fileName: 'profiles.json',
      logger: nullLoggers.main,
      // one command reads it once
      watcher: { watch: () => toDisposable(() => undefined) },
      initial: {},
      parse: parseChosenProfiles,
      depth: 1,
    });
    await store.start();
    return store;
  }

  recall(): ChosenProfiles {
    return this.store.value;
  }

  /** @throws {HumanError} when it could not be saved. */
  async remember(chosen: ChosenProfiles): Promise<void> {
    await this.store.edit(() => chosen);
  }
}
