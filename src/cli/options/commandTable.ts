/** Every command of the command line. Arguments, help and completion are read from here. */
import type { OptionName } from './optionTable.js';

/** What completes a word. */
type WordKind = 'server' | 'source' | 'client' | 'shell' | 'profile';

interface CommandSpec {
  /** What stands behind the name. */
  readonly syntax: string;
  readonly summary: string;
  /** Words that it takes. */
  readonly least: number;
  readonly most: number;
  /** Beside those of every command. */
  readonly options: readonly OptionName[];
  readonly words?: WordKind;
  readonly notes?: string;
  /** For scripts; help is silent about it. */
  readonly isHidden?: true;
}

const many = Number.POSITIVE_INFINITY;

/** Options of every command that connects servers. */
const connecting = [
  'server',
  'timeout',
  'trust',
  'input',
  'input-file',
  'no-browser',
  'device',
] as const satisfies readonly OptionName[];

const secretNotes = `A secret is not written into a file of the folder, which others get to see. Write \${env:NAME} or
\${input:name} in its place, or choose "--scope local" or "--scope user".`;

const commands = {
  list: {
    syntax: '',
    summary: 'servers with scope, kind, state, source and problems; connects nothing',
    least: 0,
    most: 0,
    options: connecting,
  },
  get: {
    syntax: 'SERVER',
    summary: 'everything about one server; connects nothing',
    least: 1,
    most: 1,
    options: ['scope'],
    words: 'server',
  },
  add: {
    syntax: 'NAME [options] -- COMMAND [ARGS…]  |  NAME URL [options]  |  FILE.mcpb [NAME]',
    summary: 'adds a server',
    least: 1,
    most: many,
    options: ['scope', 'transport', 'env', 'header', 'input'],
    notes: `Examples:
  pi-mcp add memory -- npx -y @modelcontextprotocol/server-memory
  pi-mcp add files --scope project -e LEVEL=debug -- node server.js --quiet
  pi-mcp add tracker https://example.com/mcp -H 'X-Team: \${env:TEAM}'
  pi-mcp add ./notes.mcpb --input folder=/srv/notes

A bundle is unpacked beside the accounts below, and its answers are "--input"; a secret is asked for when the server starts.

The default scope is local. ${secretNotes}`,
  },
  'add-json': {
    syntax: "NAME '{…}'",
    summary: 'adds a server by its entry in JSON',
    least: 2,
    most: 2,
    options: ['scope'],
    notes: `The default scope is local. ${secretNotes}`,
  },
  remove: {
    syntax: 'SERVER',
    summary: 'removes a server from its file',
    least: 1,
    most: 1,
    options: ['scope'],
    words: 'server',
  },
  move: {
    syntax: 'SERVER --scope SCOPE',
    summary: 'takes a server to another scope',
    least: 1,
    most: 1,
    options: ['scope', 'from', 'name'],
    words: 'server',
    notes: `Comments go along, and so do its account and answers to its inputs. A server of the folder's files has to be trusted before it becomes
yours. ${secretNotes}`,
  },
  copy: {
    syntax: 'SERVER --scope SCOPE',
    summary: 'puts a copy of a server into another scope',
    least: 1,
    most: 1,
    options: ['scope', 'from', 'name'],
    words: 'server',
    notes: `Comments go along. A server of the folder's files has to be trusted before it becomes
yours. ${secretNotes}`,
  },
  enable: {
    syntax: 'SERVER',
    summary: 'enables a server, where it is configured or for this folder',
    least: 1,
    most: 1,
    options: ['scope'],
    words: 'server',
  },
  disable: {
    syntax: 'SERVER',
    summary: 'disables a server, where it is configured or for this folder',
    least: 1,
    most: 1,
    options: ['scope'],
    words: 'server',
    notes:
      '"--scope local" switches a server of everybody off for you, without a change in the folder.',
  },
  import: {
    syntax: '[SOURCE…]',
    summary:
      'copies or shows the servers of other programs; without a source, tells what they have',
    least: 0,
    most: many,
    options: ['scope', 'server', 'link', 'yes'],
    words: 'source',
    notes: `The default scope is user, with your own servers of those programs. "--scope local" takes those that they keep for you
in this folder alone, "--scope project" those that the folder's files have, which wait for trust then as before. Names
that are taken are left out.`,
  },
  export: {
    syntax: 'CLIENT [SERVER…]',
    summary:
      'prints servers as another client writes them; without a name, all but those of other programs',
    least: 1,
    most: many,
    options: ['scope'],
    words: 'client',
    notes: `The configuration goes to standard output, what is different there to standard error; with "--json" both are in the
document. No file is written, and no secret leaves its place.

Example: pi-mcp export codex github >> ~/.codex/config.toml`,
  },
  trust: {
    syntax: '[SERVER…]',
    summary: 'shows what servers of the folder would run, and lets exactly that run from now on',
    least: 0,
    most: many,
    options: ['folder-trust', 'definitions', 'yes'],
    words: 'server',
    notes: `Without a name: all that wait. A server that changes afterwards waits again, unless the folder is trusted as a
whole. It counts for the command line; the editor asks for itself. "--trust" of other commands is for one run.`,
  },
  revoke: {
    syntax: '',
    summary: 'revokes all that "trust" gave in the folder, which may be gone',
    least: 0,
    most: 0,
    options: [],
  },
  probe: {
    syntax: '[SERVER]',
    summary: 'connects and shows state, tools and timings',
    least: 0,
    most: 1,
    options: connecting,
    words: 'server',
  },
  tools: {
    syntax: '[SERVER]',
    summary: 'the tools as a model sees them, with their cost in tokens',
    least: 0,
    most: 1,
    options: ['profile', ...connecting],
    words: 'server',
  },
  search: {
    syntax: 'QUERY',
    summary: 'the tools that fit a query, best first',
    least: 1,
    most: 1,
    options: ['profile', ...connecting],
  },
  profile: {
    syntax: 'list [--tokens]  |  use NAME  |  use --none',
    summary: 'named sets of tools, and the one that tools, search and gateway use in a folder',
    least: 1,
    most: 2,
    options: ['none', 'tokens', ...connecting],
    words: 'profile',
    notes: `The choice is kept for the command line, beside its trust; VS Code keeps its own. "--profile" takes another one for a
single run. A profile only leaves tools out.`,
  },
  call: {
    syntax: 'SERVER TOOL [JSON]',
    summary: 'calls a tool',
    least: 2,
    most: 3,
    options: connecting,
    words: 'server',
  },
  log: {
    syntax: '',
    summary: 'calls of tools, from the log that "piMcp.log.keepDays" switches on; connects nothing',
    least: 0,
    most: 0,
    options: ['since', 'server', 'format'],
    notes: `Of the folder's servers and of your own, by whoever made them: agent, apps, programs at the gateway, you.

Example: pi-mcp log --since 1d --server memory --json`,
  },
  gateway: {
    syntax: '',
    summary: 'shares the servers with other programs of this machine until its input ends',
    least: 0,
    most: 0,
    options: ['port', 'profile', 'trust', 'input', 'input-file'],
    notes: `Prints address, tokens and socket first: with "--json" as one line. It serves until its standard input is closed or
it is interrupted, and leaves nothing behind. "useToken" is for clients; "manageToken" also changes servers.
The files are watched, and what changes waits for trust; with "--trust" they are read once.

Example: { sleep infinity | pi-mcp gateway --json > gateway.json; } &`,
  },
  mock: {
    syntax: 'RECORDING',
    summary: 'is a server that answers as the recorded one did',
    least: 1,
    most: 1,
    options: ['http', 'port', 'delays'],
    notes: `RECORDING is a file that "Export Recording…" of the Inspector wrote. A request is answered as the same one was; a call
of a tool else as one with arguments of the same shape, and everything else with an error. What was masked stays masked.
With "--http" or "--port" it prints address and token first, and serves until its input ends.

Example: pi-mcp add shop-mock -- pi-mcp mock /srv/shop.jsonl`,
  },
  login: {
    syntax: 'SERVER',
    summary: 'signs in to a remote server; the account is used by later runs',
    least: 1,
    most: 1,
    options: ['account', ...connecting],
    words: 'server',
    notes: `With "--account" the folder uses that account from then on, also where it is signed in already. The sign-in page
has you sign in anew, where the server says that it can.

Example: pi-mcp login tracker --account work`,
  },
  logout: {
    syntax: 'SERVER',
    summary: 'gives its tokens back and forgets them',
    least: 1,
    most: 1,
    options: ['account', ...connecting],
    words: 'server',
  },
  doctor: {
    syntax: '',
    summary: 'a Markdown report for a bug report, without secrets',
    least: 0,
    most: 0,
    options: connecting,
  },
  completion: {
    syntax: 'bash|zsh|fish',
    summary: 'prints what makes a shell complete commands, options and servers',
    least: 1,
    most: 1,
    options: [],
    words: 'shell',
    notes: `bash: source <(pi-mcp completion bash)
zsh:  source <(pi-mcp completion zsh)
fish: pi-mcp completion fish | source`,
  },
  complete: {
    syntax: '-- WORD…',
    summary: 'the words that fit where the last one is typed',
    least: 0,
    most: many,
    options: [],
    isHidden: true,
  },
} as const satisfies Readonly<Record<string, CommandSpec>>;

export type CommandName = keyof typeof commands;

/** Those that people use. */
export const commandNames = (Object.keys(commands) as readonly CommandName[]).filter(
  (name) => commandSpec(name).isHidden !== true,
);

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(commands, name);
}

export function commandSpec(name: CommandName): CommandSpec {
  return commands[name];
}
