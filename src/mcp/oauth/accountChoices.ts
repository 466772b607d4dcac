import { asString, isJsonObject, readEntries } from '../../base/json.js';
import { globalPoolId, type McpServerId } from '../../config/definition.js';
import type { Workspace } from '../../config/ports.js';
import { RecordStore } from '../../platform/stores/recordStore.js';
import type { StorePlace } from '../../platform/stores/sharedStore.js';
import { accountNameProblem } from '../accountUse.js';

/** Of one server. */
interface Choices {
  readonly names: Readonly<Record</* account */ string, true>>;
  readonly used: Readonly<Record</* folder URI */ string, /* account */ string>>;
}

type All = Readonly<Record<McpServerId, Choices>>;

const nobody: Choices = { names: {}, used: {} };

/**
 * The names of the accounts that the user has at a server, and which of them is used in which folder. The account
 * without a name is used where nothing was chosen. A server of all folders is used as the first folder of a window
 * has it. No file of a folder has a part in this.
 */
export class AccountChoices extends RecordStore<All> {
  constructor(
    place: StorePlace,
    private readonly workspace: Pick<Workspace, 'folders'>,
  ) {
    super({
      ...place,
      fileName: 'accountNames.json',
      initial: {},
      parse,
      // servers, their fields, names and folders
      depth: 3,
    });
  }

  /** In the order of the alphabet, with those that are used somewhere. */
  names(server: McpServerId): readonly string[] {
    const { names, used } = this.of(server);
    return [...new Set([...Object.keys(names), ...Object.values(used)])].sort();
  }

  /** `undefined`: the account without a name. */
  used(server: McpServerId): string | undefined {
    const { used } = this.of(server);
    const folder = this.folderOf(server);
    return Object.hasOwn(used, folder) ? used[folder] : undefined;
  }

  /** @throws {HumanError} for what is no name, or cannot be saved. */
  async use(server: McpServerId, name: string | undefined): Promise<void> {
    const problem = name === undefined ? undefined : accountNameProblem(name);
    if (problem) {
      throw problem;
    }
    const folder = this.folderOf(server);
    const { names, used } = this.of(server);
    const { [folder]: _before, ...others } = used;
    await this.change(
      server,
      name === undefined
        ? { names, used: others }
        : { names: { ...names, [name]: true }, used: { ...others, [folder]: name } },
    );
  }

  /** It is named as long as a folder uses it. */
  async forget(server: McpServerId, name: string): Promise<void> {
    const { names, used } = this.of(server);
    const { [name]: _forgotten, ...others } = names;
    await this.change(server, { names: others, used });
  }

  /** A server that has got another id. Those of `to` give way. */
  async copy(from: McpServerId, to: McpServerId): Promise<void> {
    await this.change(to, this.of(from));
  }

  async forgetServer(server: McpServerId): Promise<void> {
    await this.change(server, nobody);
  }

  private of(server: McpServerId): Choices {
    const { value } = this.store;
    return (Object.hasOwn(value, server) ? value[server] : undefined) ?? nobody;
  }

  private async change(server: McpServerId, choices: Choices): Promise<void> {
    const isEmpty = Object.keys({ ...choices.names, ...choices.used }).length === 0;
    await this.store.edit(({ [server]: _before, ...others }) =>
      isEmpty ? others : { ...others, [server]: choices },
    );
  }

  private folderOf(server: McpServerId): string {
    const pool = server.slice(0, server.indexOf('#'));
    return pool === globalPoolId ? (this.workspace.folders[0]?.uri ?? '') : pool;
  }
}

/** Leaves out what it does not understand; `undefined` when it is no such file. */
function parse(value: unknown): All | undefined {
  return isJsonObject(value) ? readEntries(value, readChoices) : undefined;
}

function readChoices(value: unknown): Choices | undefined {
  return isJsonObject(value) && isJsonObject(value.names) && isJsonObject(value.used)
    ? {
        names: readEntries(value.names, (item) => (item === true ? item : undefined)),
        used: readEntries(value.used, asString),
      }
    : undefined;
}
