/** Edits of configuration files, one after the other, that can be taken back byte for byte. */
import { Sequencer } from '../../base/async/sequencer.js';
import { holdsLiteralSecret } from '../lint/literalSecrets.js';
import { type ConfigFileLocation, isFolderLayer } from '../parse/configLocations.js';
import { rewriteFile } from './configFileWriter.js';
import { EditableConfig } from './editConfig.js';
import { EditMemory, type EditStep } from './editMemory.js';

export interface FileEdit {
  readonly location: ConfigFileLocation;
  readonly change: (config: EditableConfig) => EditableConfig;
}

export class ConfigWriter {
  private readonly sequencer = new Sequencer();
  private readonly memory = new EditMemory();

  /** @param onDidClose a file of the user's own that holds a secret was open to others, and is not any more. */
  constructor(private readonly onDidClose: (path: string) => void) {}

  /** @returns what was written, if anything. */
  write({ location, change }: FileEdit): Promise<EditStep | undefined> {
    const isPrivate = !isFolderLayer(location.layer);
    const options = {
      isPrivate,
      within: location.folder,
      isSecret: (text: string) => isPrivate && holdsLiteralSecret(text, location),
      onDidClose: () => this.onDidClose(location.path),
    };
    return this.sequencer.queue(async () => {
      let step: EditStep | undefined;
      const edit = (text: string, isNew: boolean) => {
        const before = new EditableConfig(text, location);
        step = this.memory.stepOf(before, change(before), isNew);
        return step.text;
      };
      if (!(await rewriteFile(location.path, edit, options))) {
        return undefined;
      }
      this.memory.remember(step);
      return step;
    });
  }

  /**
   * All or nothing: what was written is taken back when a later file cannot be. One that somebody else has changed since
   * stays as they left it, and one that was not there stays empty.
   */
  async writeAll(edits: readonly FileEdit[]): Promise<void> {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      for (const edit of edits) {
        const step = await this.write(edit);
        if (step) {
          const change = (config: EditableConfig) =>
            config.text === step.text ? config.withText(step.before) : config;
          undo.push(() => this.write({ location: edit.location, change }));
        }
      }
    } catch (error) {
      for (const takeBack of undo.toReversed()) {
        // the first failure is what the user has to know
        await takeBack().catch(() => undefined);
      }
      throw error;
    }
  }
}
