import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import {
  type CommandPattern,
  findLinePlaces,
  isKnownShell,
  judgeCommand as judgeAt,
} from '../../../../../src/agent/policy/shell/commandRules.js';
import { readCommands } from '../../../../../src/agent/policy/shell/readCommands.js';
import type { RuleView } from '../../../../../src/protocol/tools/approvalRules.js';

/** As in a folder without links. */
const plainFiles = new (class extends Map<string, 'file'> {
  override get() {
    return 'file' as const;
  }
})();
const judgeCommand = (line: string, rules: readonly RuleView[]) => judgeAt(line, rules, plainFiles);

const rule = (text: string): RuleView => {
  const isPrefix = text.endsWith(' *');
  const words = (isPrefix ? text.slice(0, -2) : text).split(' ');
  return {
    id: text,
    scope: 'conversation',
    subject: { kind: 'command', words, isPrefix },
    since: '2026-11-22T10:00:00.000Z',
  };
};
const isAllowed = (line: string, ...rules: readonly string[]) =>
  judgeCommand(line, rules.map(rule)).isAllowed;
const texts = (patterns: readonly CommandPattern[] | undefined) =>
  patterns?.map(({ words, isPrefix }) => [...words, ...(isPrefix ? ['*'] : [])].join(' '));
const offered = (line: string, ...rules: readonly string[]) => {
  const { offer, wide } = judgeCommand(line, rules.map(rule));
  return { offer: texts(offer), wide: texts(wide) };
};

it.each([
  ['git status', ['git status']],
  ["git  'status'", ['git status']],
  ['git status && npm test', ['git status', 'npm test']],
  ['git status; npm test | tail -5', ['git status', 'npm test', 'tail -5']],
  ['(git status) &\nnpm test # both', ['git status', 'npm test']],
  ['git status # now', ['git status']],
  ['(git status) # now', ['git status']],
  ['npm test 2>&1 >/dev/null', ['npm test']],
  ['time npm test', ['npm test']],
  ['timeout 30s nohup npm test', ['npm test']],
  ['npm run build', ['npm run *']],
  ['npm run "a b" ./c*.ts', ['npm run *']],
  ['cat -n src/a.ts src/b.ts', ['cat -n *']],
  ['git log \\\n  main', ['git log *']],
  ["grep '^a$' src/*.ts ./b a..b", ['grep *']],
  ['git diff main..HEAD~1', ['git diff *']],
  ['cd src && cat a.ts', ['cd src', 'cat *']],
  ['cat ../x && cat y', ['cat ../x', 'cat *']],
])('lets %j run by its rules', (line, rules) => {
  expect(isAllowed(line, ...rules)).toBe(true);
});

it.each([
  ['git status -s', ['git status']],
  ['git statusx', ['git status']],
  ['git', ['git status']],
  ['git status; rm -rf .', ['git status']],
  ['npm test && git push', ['npm test']],
  ['./git status', ['git status']],
  ['A=b git status', ['git status']],
  ['git status > out', ['git status']],
  ['npm run build -- --watch', ['npm run *']],
  ['npm run --prefix=x build', ['npm run *']],
  ['npm run $X', ['npm run *']],
  ['npm run *', ['npm run *']],
  ['npm run "$X"', ['npm run *']],
  ['npm run a=b', ['npm run *']],
  ['npm run $(cat x)', ['npm run *', 'cat x']],
  ['sudo git status', ['git status']],
  ['env git status', ['git status']],
  ['time -o x git status', ['git status']],
  ['git fetch ext::sh', ['git fetch *']],
  ['npx anything', ['npx *']],
  ['cat /etc/passwd', ['cat *']],
  ['ls a ~', ['ls *']],
  ['cat src/../../x', ['cat *']],
  ['git show host:/x', ['git show *']],
  ['cd .. && cat x', ['cd ..', 'cat *']],
  ['cd && cat x', ['cd', 'cat *']],
  ['cd - && cat x', ['cd -', 'cat *']],
  // rules that earlier versions made
  ['git push origin main', ['git push *']],
  ['npm ci', ['npm ci *']],
  ['rg --pre x y', ['rg --pre *']],
  ['./gradlew test', ['./gradlew test *']],
  // the repository may be larger than the folder
  ['git grep x :/', ['git grep *']],
  ['git grep x ":(top)"', ['git grep *']],
  ['git add :!a', ['git add *']],
])('asks about %j', (line, rules) => {
  expect(isAllowed(line, ...rules)).toBe(false);
});

it.each([
  'git status `x`',
  'echo $((1))',
  'echo ${x@P}',
  "echo $'x'",
  'cat <<EOF\nrm\nEOF',
  'cat <<<x',
  'cat <(ls)',
  'git() { rm; }; git',
  'if true; then rm; fi',
  '{ rm; }',
  '! rm',
  'ls &> x',
  'ls &> x rm',
  '(ls) &> x rm',
  "echo 'open",
  'echo (x)',
  'A=b',
  '((x))',
  '[[ -v x ]]',
  'ls \u00a0x',
  'ls \u202ex',
  'ls\r\nrm',
  'l\\\ns',
  'ls )',
  '( ls',
  '',
  `${'('.repeat(20)}ls${')'.repeat(20)}`,
  `echo ${'x'.repeat(20_000)}`,
])('does not understand %j, and offers no rule', (line) => {
  expect(readCommands(line)).toBeUndefined();
  expect(judgeCommand(line, [])).toEqual({ isAllowed: false, isReading: false, parts: [] });
});

it('reads no line that is longer or deeper than its limits', () => {
  const isRead = (line: string) => readCommands(line) !== undefined;
  const long = (length: number) => `a ${'x'.repeat(length - 2)}`;
  const deep = (depth: number) => `${'( '.repeat(depth)}a${')'.repeat(depth)}`;
  expect([long(10_000), long(10_001), deep(8), deep(9)].map(isRead)).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('names the parts of a chain, those of substitutions too', () => {
  const texts = readCommands('a "$(b | c)" && (d; e) | f')?.map(({ text }) => text);
  expect(texts).toEqual(['a "$(b | c)"', 'b', 'c', 'd', 'e', 'f']);
  expect(judgeCommand('git status && rm x', [rule('git status')])).toMatchObject({
    parts: [{ text: 'git status', rule: { id: 'git status' } }, { text: 'rm x' }],
  });
});

it('offers the narrowest rules for what is not allowed yet', () => {
  expect(offered('npm test')).toEqual({ offer: ['npm test'], wide: ['npm test *'] });
  expect(offered('npm run build && git status', 'git status')).toEqual({
    offer: ['npm run build'],
    wide: ['npm run *'],
  });
  expect(offered('cat -n a')).toEqual({ offer: ['cat -n a'], wide: ['cat -n *'] });
  expect(offered('rm x')).toEqual({ offer: ['rm x'], wide: undefined });
  expect(offered('node build.js')).toEqual({ offer: ['node build.js'], wide: undefined });
  expect(offered('npm exec x').wide).toBeUndefined();
  expect(offered('go run x').wide).toBeUndefined();
  expect(offered('cat /etc/passwd')).toEqual({ offer: ['cat /etc/passwd'], wide: undefined });
  expect(offered('cat ../x; ls a')).toEqual({
    offer: ['cat ../x', 'ls a'],
    wide: ['cat ../x', 'ls *'],
  });
  expect(offered('A=b npm test').offer).toEqual(['A=b npm test']);
});

/** The widest rule of the first line lets the others run. */
it.each([
  ['npm test', ['npm test', 'npm test src/a.test.ts']],
  ['npm run build', ['npm run lint', 'npm run test:unit', 'npm run "a b" ./c*.ts', 'npm run']],
  ['npm start', ['npm start']],
  ['pnpm test', ['pnpm test a', 'time pnpm test']],
  ['pnpm run build', ['pnpm run lint']],
  ['yarn test', ['yarn test a']],
  ['yarn run build', ['yarn run build a']],
  ['git status', ['git status', 'git status src', 'git status 2>&1']],
  ['git diff', ['git diff main..HEAD~1', 'git diff src/a.ts', 'git diff HEAD']],
  ['git log', ['git log main', 'git log origin/main', 'git log \\\n  main']],
  ['git log --oneline -5', ['git log --oneline -5 main']],
  ['git show', ['git show HEAD~2', 'git show main:src/a.ts']],
  ['git add .', ['git add src/a.ts', 'git add src/*.ts', 'git add "a b"']],
  ['git commit', ['git commit src/a.ts']],
  ['git blame a', ['git blame src/a.ts']],
  ['cargo build', ['cargo build', 'cargo build 2>&1']],
  ['cargo test', ['cargo test parser', 'cargo test parser::tests']],
  ['cargo clippy', ['cargo clippy']],
  ['go test ./...', ['go test ./pkg/...', 'go test .']],
  ['go build ./...', ['go build ./cmd/x']],
  ['go vet ./...', ['go vet ./pkg']],
  ['dotnet build', ['dotnet build src/App.csproj']],
  ['dotnet test', ['dotnet test Tests.csproj']],
  ['eslint .', ['eslint src', 'eslint src/*.ts test']],
  ['eslint --quiet src', ['eslint --quiet test']],
  ['npx eslint .', ['npx eslint src']],
  ['tsc --noEmit', ['tsc --noEmit']],
  ['npx tsc --noEmit', ['npx tsc --noEmit']],
  ['vitest run', ['vitest run src/a.test.ts', 'vitest run src test']],
  ['npx vitest run src', ['npx vitest run test']],
  ['jest src', ['jest test', 'jest']],
  ['pytest', ['pytest tests', 'pytest tests/a.py::test_b']],
  ['pytest -x tests', ['pytest -x src']],
  ['python -m pytest', ['python -m pytest tests']],
  ['python3 -m pytest -q a', ['python3 -m pytest -q tests']],
  ['biome check', ['biome check src']],
  ['prettier --check .', ['prettier --check src']],
  ['pip list', ['pip list']],
  ['pip show x', ['pip show requests']],
  ['gh pr view 12', ['gh pr view 13', 'gh pr view']],
  ['kubectl get pods', ['kubectl get services']],
  ['ls', ['ls src', 'ls src/*.ts', 'ls . ./test']],
  ['ls -la src', ['ls -la test']],
  ['cat a', ['cat src/a.ts src/b.ts', 'cat "a b"', 'cat src/**/*.ts', 'cat a | cat']],
  ['cat -n a', ['cat -n b']],
  ['head -n 20 a', ['head -n 5 b']],
  ['head -20 a', ['head -20 b']],
  ['tail -n +5 a', ['tail -n +5 b']],
  ['grep x src', ["grep '^a$' src/*.ts ./b a..b", 'grep "a|b" c', 'grep M']],
  ['grep -rn x src', ['grep -rn "y z" test']],
  ["grep -r --include='*.ts' x src", ['grep -r --include="*.ts" y test']],
  ['rg x', ['rg y src']],
  ['rg -n --hidden x', ['rg -n --hidden y src']],
  ['wc -l a', ['wc -l src/*.ts']],
  ['diff a b', ['diff c d']],
  ['tree -L 2 src', ['tree -L 3 test']],
  ['du -sh src', ['du -sh test']],
  ['stat a', ['stat b']],
  ['which node', ['which npm']],
  ['echo a', ['echo "a b" c', 'time echo d', 'timeout 5 echo e']],
])('once agreed to, %j stands for %j', (line, others) => {
  const patterns = judgeCommand(line, []).wide ?? [];
  const rules = patterns.map((pattern, at) => ({
    ...rule('x'),
    id: String(at),
    subject: { kind: 'command' as const, ...pattern },
  }));
  expect(others.filter((other) => !judgeCommand(other, rules).isAllowed)).toEqual([]);
});

/** What names a program, a configuration or another folder is meant word for word, and the wide rule does not cover it. */
it.each([
  [
    'eslint .',
    ['eslint -c x.js .', 'eslint --config x.js .', 'eslint --rulesdir x .', 'eslint ..'],
  ],
  ['jest', ['jest --config x', 'jest --rootDir x', 'jest --setupFiles x', 'jest /tmp']],
  ['pytest', ['pytest -p x', 'pytest -c x', 'pytest --rootdir=x', 'pytest -o a=b', 'pytest @x']],
  ['vitest run', ['vitest run --config x', 'vitest run --root x', 'vitest run -r x', 'vitest x']],
  ['tsc --noEmit', ['tsc --noEmit -p x', 'tsc --noEmit --project x', 'tsc', 'tsc --noEmit ../x']],
  ['npx eslint .', ['npx -p x eslint .', 'npx --package=x eslint .', 'npx -c x', 'npx x']],
  ['python -m pytest', ['python -m pip', 'python -c x', 'python x.py', 'python -m pytest -p x']],
  ['npm test', ['npm test --prefix x', 'npm test --script-shell=x', 'npm --prefix x test']],
  ['npm run build', ['npm run build --node-options=x', 'npm run env', 'npm run build -C x']],
  ['biome check', ['biome check --config-path=x', 'biome check --write /tmp', 'biome lint']],
])('the widest rule of %j does not stand for %j', (line, others) => {
  const patterns = judgeCommand(line, []).wide ?? [];
  expect(patterns).not.toEqual([]);
  const rules = patterns.map((pattern, at) => ({
    ...rule('x'),
    id: String(at),
    subject: { kind: 'command' as const, ...pattern },
  }));
  expect(others.filter((other) => judgeCommand(other, rules).isAllowed)).toEqual([]);
});

/** No rule that a line has is wide: what it takes would be a program, a file to write, or another thing to do. */
it.each([
  'rg --pre x y',
  'rg --hostname-bin x y',
  'tree -o x',
  'sort -o x y',
  'git branch -D x',
  'git branch x',
  'git checkout x',
  'git push origin main',
  'git tag x',
  'git -c a=b log',
  'fd -x rm',
  'make test',
])('offers %j word for word alone', (line) => {
  expect(judgeCommand(line, []).wide).toBeUndefined();
});

/** Behind a pipe, each is what it is alone. */
it.each([
  'npm test 2>&1 | tail -5',
  'npm test | grep -n error | head -20',
  'git log | head -n 3 | cut -c 1-8',
  'ls src | wc -l',
  'cat a | sort | uniq -c | sort -rn | head',
  "cat a | tr a-z A-Z | sed -n 1,20p | sed 's/a/b/g'",
  "ls | awk '{print $2}' | jq .a",
  './build.sh | grep error',
  'git log | cat -',
  'git show main:a | diff - b',
  'docker logs x | tail -n 20',
])('asks about %j by its commands', (line) => {
  const commands = readCommands(line) ?? [];
  expect(judgeCommand(line, []).parts.map(({ text }) => text)).toEqual(
    commands.map(({ text }) => text),
  );
});

/** The options that show the same otherwise; with a letter that has a value, its value. Those behind `|` only filter. */
const readers = [
  'cat -AbeEnstTuv --number --number-nonblank --show-all --show-ends --show-tabs',
  'head -0123456789qvz -c1 -n1 --bytes=1 --lines=1 --quiet --silent --verbose',
  'tail -0123456789fFqrvz -c1 -n1 --bytes=1 --lines=1 --quiet --silent --verbose',
  'wc -clLmw --bytes --chars --lines --words --max-line-length',
  'ls -1aAbBcCdfFgGhiklmnopqQrRsStuUvxXZ -I1 -T1 -w1 --all --almost-all --color --full-time ' +
    '--group-directories-first --human-readable --inode --recursive --reverse --size --sort=size --time=use',
  'grep -0123456789abcEFGhHiIlLnoPqrsTUvwxyZz -A1 -B1 -C1 -e1 -m1 --after-context=1 --before-context=1 ' +
    '--binary-files=text --color --colour --context=1 --count --exclude=a --exclude-dir=a --extended-regexp ' +
    '--files-with-matches --files-without-match --fixed-strings --ignore-case --include=a --invert-match ' +
    '--line-number --line-regexp --max-count=1 --no-filename --no-messages --only-matching --perl-regexp --quiet ' +
    '--recursive --regexp=a --text --with-filename --word-regexp',
  'rg -.0abcFhHiIlnNopPqsSuUvwx -A1 -B1 -C1 -e1 -g1 -m1 -r1 -t1 -T1 -M1 --after-context=1 --before-context=1 ' +
    '--case-sensitive --color --context=1 --count --files --files-with-matches --fixed-strings --glob=a --heading ' +
    '--hidden --iglob=a --ignore-case --invert-match --json --line-number --max-columns=1 --max-count=1 ' +
    '--max-depth=1 --multiline --no-heading --no-ignore --no-line-number --only-matching --regexp=a --replace=a ' +
    '--smart-case --sort=path --stats --type=ts --type-not=ts --word-regexp',
  'stat -fltx -c1 --format=a --printf=a --terse',
  'du -0abchkmsSx -B1 -d1 -t1 --all --apparent-size --bytes --human-readable --max-depth=1 --summarize --total',
  'df -aHhiklmPT --human-readable',
  'file -bhik --brief --mime --mime-encoding --mime-type',
  'tree -aACdDfFghinNpqQrstuUv -I1 -L1 -P1 --dirsfirst --du --gitignore --noreport --prune',
  'cut -nsz -b1 -c1 -d1 -f1 --bytes=1 --characters=1 --complement --delimiter=a --fields=1 --output-delimiter=a',
  'diff -0123456789abBdeEinpqstTuwy -C1 -U1 -W1 --brief --color --context=1 --ignore-all-space --ignore-blank-lines ' +
    '--ignore-case --ignore-space-change --minimal --side-by-side --unified=1',
  'cmp -bls -i1 -n1 --bytes=1 --print-bytes --silent --quiet --verbose',
  'echo -eEn',
  'which -a --all',
  'basename -az -s1 --multiple --suffix=a --zero',
  'dirname -z --zero',
  'realpath -eEmLPqsz --canonicalize-existing --canonicalize-missing --strip --no-symlinks',
  '| sort -bcCdfghiMmnRrsuVz -k1 -t1 --field-separator=a --key=1 --numeric-sort --reverse --unique',
  '| uniq -cdDiuz -f1 -s1 -w1 --count --repeated --unique',
  '| tr -cCdst --complement --delete --squeeze-repeats',
  '| nl -p -b1 -d1 -f1 -h1 -i1 -l1 -n1 -s1 -v1 -w1',
  '| tac -b -s1',
  '| rev',
  '| comm -123z',
  '| paste -sz -d1',
  '| fold -bs -w1',
  '| column -tnxe -c1 -s1 -N1 -o1 --table --separator=a --output-separator=a',
  '| jq -aceMnrRsSj --raw-output --compact-output --slurp --tab --exit-status',
  '| less -FINnRSX',
  '| sed -nErs',
  '| awk -F1',
];
/** Options of `git log` and its like: they show the same otherwise, too. */
const history =
  '-0123456789bpw -n1 -U1 --all --author=a --cached --color --decorate --format=a --graph --max-count=1 --merges ' +
  '--name-only --name-status --no-color --no-merges --numstat --oneline --pretty --reverse --shortstat --since=1 ' +
  '--staged --stat --until=1';
const programOf = (line: string) => line.replace(/^\| | -(?!-(?:noEmit|check) ).*/g, '');
const shownOtherwise = [
  ...readers,
  'git status -bsvz -u1 --branch --long --porcelain --short',
  'eslint --cache --color --fix --max-warnings=1 --no-color --quiet',
  'jest -bi -t1 --bail --coverage --no-coverage --runInBand --silent --testNamePattern=a --verbose',
  'pytest -lqsvx -k1 --durations=1 --exitfirst --ff --lf --maxfail=1 --no-header --quiet --tb=no --verbose',
  'vitest run -t1 --bail=1 --coverage --no-color --passWithNoTests --silent --testNamePattern=a',
  'biome check --error-on-warnings --max-diagnostics=1',
  'tsc --noEmit --pretty --skipLibCheck --strict',
  'prettier --check --log-level=warn --no-color',
  'git ls-files -cdmost --cached --deleted --exclude-standard --modified --others --stage',
  'git rev-parse --abbrev-ref --is-inside-work-tree --short --show-toplevel --verify',
  'git blame -elstw -L1 --date=iso --since=1',
  'git grep -cEFhHiIlLnPpvw -A1 -B1 -C1 -e1 --cached --count --files-with-matches --ignore-case --line-number ' +
    '--untracked --word-regexp',
  'git shortlog -ens',
  'git cat-file -epst',
  'git describe --abbrev=1 --all --always --long --tags',
  'git add',
  ...['log', 'show', 'diff'].map((verb) => `git ${verb} ${history}`),
].map((line) => ({
  isOnlyFilter: line.startsWith('| '),
  program: programOf(line),
  options: line.slice(line.indexOf(programOf(line)) + programOf(line).length).match(/-\S+/g) ?? [],
}));
const isKnown = (program: string, options: string, isOnlyFilter: boolean) =>
  isOnlyFilter
    ? judgeCommand(`cat a | ${program} ${options}`, []).parts.length === 2
    : judgeCommand(`${program} ${options} a`, []).wide !== undefined;

it.each(shownOtherwise)(
  'knows the options of $program, and none but those',
  ({ program, options, isOnlyFilter }) => {
    expect(options.filter((option) => !isKnown(program, option, isOnlyFilter))).toEqual([]);
    const letters = new Set(
      options.flatMap((one) => (/^-[^-]/.test(one) ? [...one.replace(/^-(\D)1$/, '-$1')] : [])),
    );
    const others = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']
      .filter((letter) => !letters.has(letter))
      .map((letter) => `-${letter}`);
    const unknown = [...others, '--output=a', '--files0-from=a', '--pre=a', '--ext-diff', '--no'];
    expect(unknown.filter((option) => isKnown(program, option, isOnlyFilter))).toEqual([]);
    const isFilter = readers.some(
      (line) => line.replace(/^\| /, '').startsWith(`${program} `) || line === `| ${program}`,
    );
    expect(isKnown(program, '', true)).toBe(isFilter);
    expect(isKnown(program, '', false)).toBe(!isOnlyFilter && program !== 'uniq');
  },
);

/** What each program does with other operands as with these. */
it.each([
  'git (blame|ls-files|ls-tree|rev-parse|rev-list|describe|shortlog|merge-base|cat-file|grep|for-each-ref) a',
  'git (name-rev|show-ref|stash list|worktree list|add|commit|status|log|show|diff) a',
  'npm (run|run-script|test|t|tst|start|stop|restart|ls|list|why|explain|root|prefix) a',
  'pnpm (run|test|start|build|lint|dev|typecheck|t|ls|list|why) a',
  'yarn (test|start|build|lint|dev|typecheck|list|why) a',
  'yarn run (test|start|build|lint|dev|typecheck) a',
  'cargo (build|b|check|c|test|t|clippy|bench|doc|tree|metadata|fmt) a',
  'go (build|test|vet|fmt|list|generate) ./a',
  'go (doc) a',
  'dotnet (build|test|restore) a',
  'pip (list|show|freeze|check) a',
  'pip3 (list|show|freeze|check) a',
  'uv (tree|pip list|pip show|pip freeze|pip check|pip tree) a',
  'poetry (show|check) a',
  'gh (pr view|pr list|pr status|pr diff|pr checks|issue view|issue list|issue status|run view|run list) 1',
  'kubectl (get|describe|logs|top|explain) a',
  'terraform (validate|show) a',
  'bundle (list|show|info|check) a',
  'composer (show|validate|test) a',
  'apt (list|show|search) a',
  'brew (list) a',
])('takes other operands of %s for the same thing to do', (row) => {
  const [, program = '', verbs = '', operand = ''] = /^(.*?) \((.*)\) (.*)$/.exec(row) ?? [];
  const lines = verbs.split('|').map((verb) => `${program} ${verb} ${operand}`);
  expect(lines.filter((line) => judgeCommand(line, []).wide === undefined)).toEqual([]);
  expect(judgeCommand(`${program} unheard-of ${operand}`, []).wide).toBeUndefined();
  expect(judgeCommand(`${program} ${operand}`, []).wide).toBeUndefined();
  const withOption = lines.map((line) => `${line.slice(0, -operand.length)}--unheard-of`);
  expect(withOption.filter((line) => judgeCommand(line, []).wide !== undefined)).toEqual([]);
});

/** Each could make links by then, for all that is known, unless it is one of those that make none. */
it('opens files for a wider rule only behind what makes no links', () => {
  const linkless = [
    'cd chdir pushd mkdir rmdir rm touch chmod sleep date pwd true false make cargo npm npx pnpm yarn bun node',
    'deno python python3 pytest ruby go dotnet mvn gradle tsc vitest jest eslint biome prettier tee curl ./run.sh',
  ];
  const before = linkless.flatMap((words) => words.split(' ')).map((word) => `${word} a`);
  before.push(
    'popd a',
    'git fetch a',
    'git push a',
    'git branch a',
    'git tag a',
    'git log',
    'ls a',
  );
  const widened = (line: string) => judgeCommand(line, []).wide?.some(({ isPrefix }) => isPrefix);
  const opens = (line: string) => widened(`${line}; cat b`) ?? false;
  expect(before.filter((line) => !opens(line))).toEqual([]);
  const makers = ['ln -s /etc a', 'git checkout a', 'git a', 'tar a', 'unheard-of a', '../run.sh'];
  expect(makers.filter(opens)).toEqual([]);
  expect(makers.filter((line) => widened(`cat b; ${line}`) !== true)).toEqual([]);
  expect(makers.filter((line) => widened(`cat b & ${line}`) === true)).toEqual([]);
  // they open nothing of what they are given
  for (const line of ['echo b', 'which b', 'basename b', 'dirname b', 'grep b', 'git log b']) {
    expect(widened(`ln -s /etc a; ${line}`), line).toBe(true);
  }
  for (const line of [
    'grep b c',
    'grep -e b c',
    'grep --regexp=b c',
    'rg --files c',
    'git diff b',
  ]) {
    expect(widened(`ln -s /etc a; ${line}`) ?? false, line).toBe(false);
  }
});

it('asks about what it cannot tell apart as one', () => {
  expect(offered('echo a | repl | tail -5 && npm test')).toEqual({
    offer: ['echo a | repl | tail -5', 'npm test'],
    wide: ['echo a | repl | tail -5', 'npm test *'],
  });
  expect(offered('cd .. && npm test')).toEqual({ offer: ['cd .. && npm test'], wide: undefined });
  expect(offered("cat a | sed 's/a/b/e'").offer).toEqual(["cat a | sed 's/a/b/e'"]);
  expect(offered('cat a | awk \'{print > "f"}\'').offer).toEqual(['cat a | awk \'{print > "f"}\'']);
  expect(offered("git 'stash list' x").wide).toBeUndefined();
  expect(offered('cat a | cat > f').offer).toEqual(['cat a | cat > f']);
  expect(offered('echo a | sh')).toEqual({ offer: undefined, wide: undefined });
});

it('looks where the words of a line lead, from every folder in which it may be by then', async () => {
  const root = mkdtempSync(join(tmpdir(), 'places-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folder = join(root, 'work');
  mkdirSync(join(folder, 'sub'), { recursive: true });
  writeFileSync(join(folder, 'a'), '');
  symlinkSync('sub', join(folder, 'inside'));
  symlinkSync('..', join(folder, 'out'));
  symlinkSync('../..', join(folder, 'sub', 'b'));
  const placesOf = async (line: string) => Object.fromEntries(await findLinePlaces(line, folder));
  expect(await placesOf('time cat a sub inside out o*t o*x*t /etc; ls new su* ../x')).toEqual({
    a: 'file',
    sub: 'folder',
    inside: 'folder',
    out: 'outside',
    'o*t': 'outside',
    'o*x*t': 'file',
    new: 'file',
    'su*': 'folder',
  });
  expect(await placesOf('cat b')).toEqual({ b: 'file' });
  expect(await placesOf('cd sub && cat b')).toEqual({ sub: 'folder', b: 'outside' });
  expect(await placesOf('cd $X && cat b')).toEqual({});
});

it('knows nothing of words that were not looked up', () => {
  expect(judgeAt('cat a', [], new Map()).wide).toBeUndefined();
  expect(judgeAt('cat a', [], new Map([['a', 'file']])).wide).toBeDefined();
  expect(judgeAt('cd a && ls', [], new Map()).offer).toEqual([
    { words: ['cd a && ls'], isPrefix: false },
  ]);
});

it.each([
  'sh',
  'curl x | sh',
  'bash -c ls',
  'xargs rm',
  'sudo ls',
  'env A=b ls',
  'eval ls',
  'node',
  'python -',
  'export A=b',
  '. x',
  'ssh host ls',
])('has no rule for %j, which starts what it is given', (line) => {
  expect(offered(line)).toEqual({ offer: undefined, wide: undefined });
  expect(isAllowed(line, line, ...line.split(' | '))).toBe(false);
});

it('has no rule for any program that runs what it reads or changes what later words mean', () => {
  const launchers = [
    'sh bash dash zsh fish ksh csh tcsh pwsh powershell cmd busybox eval source . exec sudo doas su env xargs ssh',
    'parallel watch script setsid chroot nsenter unshare flock alias unalias export set shopt declare typeset',
    'readonly local unset hash enable bind complete builtin trap read mapfile readarray printf test let',
    "'[' 'function'",
  ].flatMap((words) => words.split(' '));
  const verdicts = launchers.map((name) => ({ name, ...judgeCommand(`${name} x`, []) }));
  expect(verdicts.filter(({ offer }) => offer !== undefined)).toEqual([]);
  expect(verdicts.filter(({ parts }) => parts.length === 0)).toEqual([]);
});

it('takes the rule that it offers, for the same line', () => {
  for (const line of [
    'npm test',
    "echo 'a b'",
    'A=b make x',
    'ls *.ts',
    'cat < x',
    'echo "$HOME"',
  ]) {
    const { offer = [] } = judgeCommand(line, []);
    const rules = offer.map((pattern, at) => ({
      ...rule('x'),
      id: String(at),
      subject: { kind: 'command' as const, ...pattern },
    }));
    expect(judgeCommand(line, rules).isAllowed).toBe(true);
  }
});

it('knows the shells whose language it reads', () => {
  const shells = [
    '/bin/bash',
    'sh',
    'C:\\Git\\bin\\bash',
    '/usr/bin/zsh',
    'pwsh',
    'powershell.exe',
  ];
  expect(shells.filter(isKnownShell)).toEqual(['/bin/bash', 'sh', 'C:\\Git\\bin\\bash']);
});
