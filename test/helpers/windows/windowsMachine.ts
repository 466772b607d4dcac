import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeModules, repository } from '../../workbench/paths.mjs';
import { windows } from '../../workbench/windows.mjs';

const sockets = join(repository, 'test/helpers/windows/wineSockets.mjs');
export const cliPath = join(repository, 'dist/cli.js');

/** A path of this machine as Windows has it. */
export function windowsPath(path: string): string {
  return `Z:${path.replaceAll('/', '\\')}`;
}

export interface WindowsRun {
  readonly status: number | null;
  readonly out: string;
  readonly error: string;
  /** Milliseconds from the start to the last that it wrote. */
  readonly answerMs: number;
  /** Milliseconds from there to its end. */
  readonly endMs: number;
}

/** A launch of a server of npm, for Windows. @param program of its package */
export function windowsServer(program: string, ...args: readonly string[]) {
  const path = join(nodeModules, '@modelcontextprotocol', program);
  return { command: 'node', args: [windowsPath(path), ...args] };
}

function withDocument(run: WindowsRun) {
  try {
    return { ...run, document: JSON.parse(run.out) };
  } catch (error) {
    throw new Error(`No document (${run.status}): ${run.out}\n${run.error}`, { cause: error });
  }
}

/** A folder, a home and programs on Windows. */
export class WindowsMachine {
  private runs = 0;

  private constructor(
    readonly root: string,
    private readonly wine: string,
  ) {}

  static async create(): Promise<WindowsMachine> {
    const wine = process.env.WINE_PATH;
    if (!wine) {
      throw new Error('WINE_PATH names no Wine: start these tests with "npm run test:windows"');
    }
    const machine = new WindowsMachine(await mkdtemp(join(tmpdir(), 'pi-mcp-windows-')), wine);
    await Promise.all([mkdir(machine.folder), mkdir(machine.home)]);
    return machine;
  }

  get folder(): string {
    return join(this.root, 'work');
  }

  get home(): string {
    return join(this.root, 'home');
  }

  /** @param path from the root */
  async write(path: string, content: string | object): Promise<void> {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), text);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  /** Names in a folder, all that is below it among them. @param path from the root */
  list(path: string): readonly string[] {
    const folder = join(this.root, path);
    return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String).sort() : [];
  }

  writeServers(servers: object): Promise<void> {
    return this.write('work/.mcp.json', { mcpServers: servers });
  }

  /** The built command line with this home. */
  cli(...args: readonly string[]): Promise<WindowsRun> {
    return this.startCli(args).ended;
  }

  json(...args: readonly string[]) {
    return this.startJson(...args).ended;
  }

  /** As {@link json}, for what is to be done meanwhile. */
  startJson(...args: readonly string[]) {
    const { output, ended } = this.startCli(['--json', ...args]);
    return { output, ended: ended.then(withDocument) };
  }

  node(args: readonly string[]): Promise<WindowsRun> {
    return this.start(args).ended;
  }

  private startCli(args: readonly string[]) {
    return this.start([windowsPath(cliPath), '--home', windowsPath(this.home), ...args]);
  }

  /** The Node of Windows. Its handles are files: pipes of this system end no program there. */
  private start(args: readonly string[]) {
    const [outPath, errorPath] = ['out', 'error'].map((name) =>
      join(this.root, `${name}-${this.runs}`),
    ) as [string, string];
    this.runs++;
    const process_ = spawn(this.wine, [windows.node, '--import', `file:///Z:${sockets}`, ...args], {
      cwd: this.folder,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        ...windows.env,
        WINEPATH: windowsPath(dirname(windows.node)),
        // consoles and logs of Windows end in the tests' own time zone
        TZ: 'UTC',
      },
      stdio: ['ignore', openSync(outPath, 'w'), openSync(errorPath, 'w')],
    });
    const now = () => performance.timeOrigin + performance.now();
    const startedAt = now();
    const output = () => ({
      out: readFileSync(outPath, 'utf8'),
      error: readFileSync(errorPath, 'utf8'),
    });
    const ended = once(process_, 'exit').then(([status]): WindowsRun => {
      const answeredAt = statSync(outPath).mtimeMs;
      const times = { answerMs: answeredAt - startedAt, endMs: now() - answeredAt };
      return { status, ...times, ...output() };
    });
    return { output, ended };
  }

  /** Command lines of programs of Windows that still run from or in the folders of this machine. */
  running(): readonly string[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
        } catch {
          // ended meanwhile
          return [];
        }
      })
      .filter((line) => /node\.exe/i.test(line) && !line.includes('vitest'));
  }

  async dispose(): Promise<void> {
    await rm(this.root, { recursive: true, force: true, maxRetries: 5 });
  }
}
