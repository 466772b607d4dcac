/** Where the conversations of a folder are kept: with us, or where Pi's own terminal looks for them. */
import { join, resolve } from 'node:path';
import { asObject, asString } from '../../base/json.js';
import type { HostEnvironment } from '../../platform/ports.js';
import { realPath } from '../../platform/realPath.js';
import { readJsonFile } from '../../platform/stores/jsonFile.js';
import { type ConversationPlace, conversationDir } from './conversations.js';

/** `pi`: where `pi --resume` finds them. */
export type ConversationKeeper = 'own' | 'pi';

export interface ConversationPlacesOptions {
  /** Absolute; of our own. */
  readonly storageDir: string;
  /** Absolute; of Pi. */
  readonly agentDir: string;
  readonly environment: HostEnvironment;
  /** Read whenever a place is asked for. */
  readonly keeper: () => ConversationKeeper;
}

/** Of one folder. New conversations begin in the first place; those of all are listed. */
export interface FolderPlaces {
  readonly places: readonly [ConversationPlace, ...ConversationPlace[]];
  /** What new conversations name as their folder. Default: as VS Code does. */
  readonly cwd?: string;
}

export class ConversationPlaces {
  constructor(private readonly options: ConversationPlacesOptions) {}

  /** @param fsPath of the folder; absent for a window without folders */
  async of(folderKey: string, fsPath: string | undefined): Promise<FolderPlaces> {
    const own = { directory: conversationDir(this.options.storageDir, folderKey) };
    if (this.options.keeper() === 'own' || fsPath === undefined) {
      return { places: [own] };
    }
    // a terminal names a folder without the links on the way to it
    const cwd = await realPath(fsPath);
    return { places: [await this.piPlace(cwd), own], cwd };
  }

  /** As Pi finds it out; of a folder's own settings it takes none here. */
  private async piPlace(cwd: string): Promise<ConversationPlace> {
    const { agentDir, environment } = this.options;
    const wanted =
      environment.getVariable('PI_CODING_AGENT_SESSION_DIR') ||
      (await sessionDirSetting(join(agentDir, 'settings.json')));
    const usual = join(agentDir, 'sessions', folderName(cwd));
    if (!wanted) {
      return { directory: usual };
    }
    const directory = resolve(
      cwd,
      wanted.replace(/^~(?=$|[/\\])/, () => environment.homeDir),
    );
    return directory === usual ? { directory } : { directory, folder: cwd };
  }
}

/** How Pi writes a folder's path as one name. */
function folderName(cwd: string): string {
  return `--${cwd.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`;
}

async function sessionDirSetting(path: string): Promise<string | undefined> {
  // most users have no such file; Pi would refuse a damaged one as well
  return asString(asObject(await readJsonFile(path)).sessionDir);
}
