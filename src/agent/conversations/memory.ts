/** Which conversation each folder of a workspace shows, and in which mode each is, in a file of its own: it must outlive a window that closes at once. */
import { basename } from 'node:path';
import { Sequencer } from '../../base/async/sequencer.js';
import type { Disposable } from '../../base/disposable.js';
import { asObject, asString } from '../../base/json.js';
import type { ObservableValue } from '../../base/valueEmitter.js';
import { readJsonFile, writeJsonFile } from '../../platform/stores/jsonFile.js';
import { type AgentMode, isAgentMode } from '../../protocol/tools/modes.js';
import { SessionMode } from '../policy/sessionMode.js';

/** Beside keys of folders, which are URIs. */
const modesKey = 'modes';
const maxModes = 200;

type Remembered = Readonly<Record<string, unknown>>;

interface ModeParts {
  readonly defaultMode: ObservableValue<AgentMode>;
  readonly workspace: { readonly isTrusted: boolean };
}

export class ConversationMemory {
  private readonly writes = new Sequencer();
  private readonly free = new Set</* conversation id */ string>();
  private shown: Promise<Remembered> | undefined;

  /** @param path absolute; may not exist */
  constructor(private readonly path: string) {}

  /** Name of the conversation's file. */
  async recall(folderKey: string): Promise<string | undefined> {
    return asString((await this.read())[folderKey]);
  }

  remember(folderKey: string, conversationId: string | undefined): Promise<void> {
    return this.write((shown) =>
      shown[folderKey] === conversationId ? shown : { ...shown, [folderKey]: conversationId },
    );
  }

  /** @param file of the conversation; default: a new one */
  async openMode(file: string | undefined, { defaultMode, workspace }: ModeParts) {
    const id = basename(file ?? '');
    const mode = this.free.has(id) ? 'runFreely' : modesIn(await this.read())[id];
    const chosen = isAgentMode(mode) ? mode : undefined;
    return new SessionMode({ byDefault: defaultMode, isTrusted: workspace.isTrusted, chosen });
  }

  /** From now on. @param id name of the conversation's file */
  keepMode(id: string, mode: SessionMode, onError: (error: unknown) => void): Disposable {
    return mode.onDidChange(() => void this.rememberMode(id, mode.chosenByUser).catch(onError));
  }

  /** That everything runs does not outlive the window: it is nowhere on the disk. */
  private rememberMode(id: string, mode: AgentMode | undefined): Promise<void> {
    if (mode === 'runFreely') {
      this.free.add(id);
    } else {
      this.free.delete(id);
    }
    const kept = mode === 'runFreely' ? undefined : mode;
    return this.write((shown) => {
      const others = Object.entries(modesIn(shown)).filter(([one]) => one !== id);
      const all = [...others, ...(kept === undefined ? [] : [[id, kept]])].slice(-maxModes);
      return { ...shown, [modesKey]: Object.fromEntries(all) };
    });
  }

  private write(change: (shown: Remembered) => Remembered): Promise<void> {
    return this.writes.queue(async () => {
      const shown = await this.read();
      const next = change(shown);
      if (next !== shown) {
        this.shown = Promise.resolve(next);
        await writeJsonFile(this.path, next);
      }
    });
  }

  private read(): Promise<Remembered> {
    this.shown ??= readJsonFile(this.path).then(asObject);
    return this.shown;
  }
}

function modesIn(shown: Remembered): Remembered {
  const modes = shown[modesKey];
  return asObject(modes);
}
