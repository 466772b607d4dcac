/** The packages as a release makes them: twice the same bytes, without a warning, and on every Node.js that is maintained. */
import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installPackages } from '../workbench/packages.mjs';
import { nodeBin, nodeModules, repository, workbenchDir } from '../workbench/paths.mjs';

const run = promisify(execFile);
const minutes = 60_000;
let root: string;

beforeAll(() => {
  mkdirSync(workbenchDir, { recursive: true });
  // on the disk of node_modules, which is linked
  root = mkdtempSync(join(workbenchDir, 'release-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('npm run package', () => {
  it(
    'gives the same bytes in two folders, at two times, in two time zones',
    async () => {
      const here = await packageIn(checkOut('a'), { TZ: 'Asia/Tokyo' });
      const there = await packageIn(checkOut('b/c/another place'), { TZ: 'America/New_York' });
      // which of them differ is said first
      expect(hashesOf(there.content)).toEqual(hashesOf(here.content));
      expect(there.content.equals(here.content)).toBe(true);
    },
    10 * minutes,
  );

  it(
    'warns of nothing once the manifest names the repository, and leads links there',
    async () => {
      const folder = checkOut('addressed');
      const address = 'https://github.com/owner/pi-mcp';
      await run('npm', ['pkg', 'set', 'repository.type=git', `repository.url=${address}`], {
        cwd: folder,
      });
      const { content, output } = await packageIn(folder, {});
      expect(output).not.toMatch(/\bWARN(?:ING)?\b/);
      const readme = unzipSync(content)['extension/readme.md'] ?? new Uint8Array();
      expect(Buffer.from(readme).toString()).not.toMatch(/\]\((?!https:|#)/);
    },
    10 * minutes,
  );
});

describe('npm pack', () => {
  it(
    'makes a command line that runs from an empty folder, on Node.js 20, 22 and 24',
    async () => {
      const home = realpathSync(mkdtempSync(join(tmpdir(), 'pi-mcp-nodes-')));
      const work = join(home, 'work');
      mkdirSync(work);
      await run('npm', ['pack', '--pack-destination', home], { cwd: repository });
      const tarball = join(home, readdirSync(home).find((name) => name.endsWith('.tgz')) ?? '');
      const platform = `${process.platform}-${process.arch}`;
      const told: Record<string, string> = {};
      for (const major of ['20', '22', '24']) {
        const prefix = join(workbenchDir, 'nodes', major);
        installPackages(prefix, [`node-${platform}@${major}`]);
        const bin = join(prefix, `node_modules/node-${platform}/bin`);
        const env = {
          PATH: [bin, process.env.PATH].join(delimiter),
          HOME: home,
          npm_config_cache: join(home, 'cache'),
        };
        const version = execFileSync('node', ['--version'], { env, encoding: 'utf8' });
        const { stdout, stderr } = await run(
          'npx',
          ['--yes', '--offline', '--package', tarball, 'pi-mcp', 'list'],
          {
            cwd: work,
            env,
          },
        );
        told[version.slice(1, 3)] = stdout + stderr;
      }
      const empty = 'No servers are configured.\n';
      expect(told).toEqual({ 20: empty, 22: empty, 24: empty });
      expect(readdirSync(work)).toEqual([]);
      rmSync(home, { recursive: true, force: true });
    },
    5 * minutes,
  );
});

/** The files that git knows, as they are on the disk, beside packages of their own. */
function checkOut(name: string): string {
  const folder = join(root, name);
  const listed = execFileSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: repository,
      encoding: 'utf8',
    },
  );
  for (const path of listed.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(repository, path), join(folder, path));
  }
  linkTree(nodeModules, join(folder, 'node_modules'));
  return folder;
}

function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      linkTree(source, target);
    } else if (entry.isSymbolicLink()) {
      symlinkSync(readlinkSync(source), target);
    } else {
      linkSync(source, target);
    }
  }
}

async function packageIn(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly content: Buffer; readonly output: string }> {
  const { stdout, stderr } = await run('npm', ['run', 'package'], {
    cwd: folder,
    env: { ...process.env, PATH: [nodeBin, process.env.PATH].join(delimiter), ...env },
    maxBuffer: 1e7,
  });
  const vsix = readdirSync(folder).find((name) => name.endsWith('.vsix')) ?? '';
  return { content: readFileSync(join(folder, vsix)), output: stdout + stderr };
}

function hashesOf(vsix: Buffer): Readonly<Record</* path */ string, string>> {
  const parts = Object.entries(unzipSync(vsix));
  return Object.fromEntries(
    parts.map(([path, part]) => [path, createHash('sha256').update(part).digest('hex')]),
  );
}
