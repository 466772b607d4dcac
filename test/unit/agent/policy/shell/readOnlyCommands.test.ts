/** Which lines run without a question, in a real folder with the programs of this machine and stand-ins for the rest. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  findLinePlaces,
  findLineReading,
  judgeCommand,
} from '../../../../../src/agent/policy/shell/commandRules.js';
import { isInertConfig } from '../../../../../src/agent/policy/shell/readingPlaces.js';

let root: string;
let folder: string;
let bin: string;
const programs =
  'basename cat cmp comm cut date df diff dirname du file find git grep head jq java ls nl node npm python3 realpath rev rg ' +
  'sed sort stat tac tail tr tree uname uniq wc which whoami awk less yarn go cargo fd env';

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'reading-'));
  folder = join(root, 'shop');
  bin = join(root, 'bin');
  mkdirSync(bin);
  for (const name of programs.split(' ')) {
    writeFileSync(join(bin, name), '#!/bin/sh\n');
    chmodSync(join(bin, name), 0o755);
  }
  mkdirSync(join(folder, 'src'), { recursive: true });
  for (const name of ['a.md', 'b.md', 'src/x.ts', 'src/y.ts', 'package.json']) {
    writeFileSync(join(folder, name), 'x\n');
  }
  writeFileSync(join(root, 'key'), 'secret\n');
  symlinkSync(join(root, 'key'), join(folder, 'link'));
  mkdirSync(join(folder, 'linked'));
  symlinkSync(join(root, 'key'), join(folder, 'linked/key'));
  execFileSync('git', ['init', '-q', folder]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const judge = async (line: string, path = bin) =>
  judgeCommand(
    line,
    [],
    await findLinePlaces(line, folder),
    await findLineReading(line, folder, path),
  );
const isFree = async (line: string, path?: string) => (await judge(line, path)).isReading;

const free = `
pwd
true
false
whoami
uname -a
date
date -u +%Y-%m-%d
date "+%H %M"
echo "done with it"
basename src/x.ts .ts
dirname src/x.ts
which node
node --version
node -v
python3 --version
java -version
git --version
ls
ls -la src
stat a.md
df -h
du -sh src
file a.md
tree -L 2
cat a.md b.md
cat ./*.md
head -20 a.md
head -n 20 a.md
tail -n 5 a.md
wc -l src/x.ts
sort a.md
sort a.md | uniq -c | sort -rn | head -5
cut -d: -f1 a.md
cat a.md | tr a-z A-Z
cat a.md | tr '/' '-'
nl a.md
tac a.md
rev a.md
cmp a.md b.md
diff -u a.md b.md
comm a.md b.md
realpath a.md
grep -rn "TODO" src
grep -rn 'https://' src
grep foo a.md
rg -n needle
rg --files
rg needle src | head -3
find . -name '*.ts'
find . -type f -not -path './node_modules/*' -maxdepth 3
find src \\( -name '*.ts' -o -name '*.js' \\) -print
sed -n 1,20p a.md
sed -n '5p' a.md
jq .scripts package.json
jq -r '.dependencies | keys | .[]' package.json
git status
git status --short
git log --oneline -5
git --version && git diff --stat
git diff HEAD~1 -- src
git show HEAD
git blame -L 1,20 a.md
git ls-files -o
git rev-parse --abbrev-ref HEAD
git branch
git branch -a
git tag -l
git remote -v
git stash list
git show-ref
git for-each-ref
git name-rev HEAD
git worktree list
git grep -n needle
cd src && ls
cd src && cat x.ts | head -3
ls 2>/dev/null
ls; pwd
ls || true
`;

it.each(lines(free))('runs without a question: %s', async (line) => {
  expect(await isFree(line)).toBe(true);
});

const asked = `
cat /etc/passwd
cat ../key
cat link
cat linked/*
cat link*
cat ~/.ssh/id_rsa
cat $HOME/x
echo $SECRET
echo "$(cat /etc/passwd)"
echo \`id\`
ls ..
cd .. && ls
cd .. && pwd && cat shop/a.md
cat a.md > b.md
cat < /etc/passwd
git diff > x
ls &> x
tail -f a.md
tail -F a.md
tail --follow a.md
tail -5f a.md
wc --files0-from=a.md
sort -o b.md a.md
sort --output=b.md a.md
sort -T /tmp a.md
sort --compress-program=evil a.md
uniq a.md b.md
grep -R x src
grep -f /etc/passwd x
grep -e x /etc/passwd
grep -nm /etc/passwd a.md
grep -ex /etc/passwd
grep -eA /etc/passwd
grep x /etc/passwd
rg --pre cat x
rg -z x
rg -L x
rg --follow x
rg --hostname-bin evil x
tree -o x
tree -l
find . -delete
find . -name x -exec rm {} +
find . -execdir evil ;
find . -ok rm {} ;
find -L . -name x
find . -follow
find . -fprint x
find . -fls x
find / -name x
find link -name x
find .. -name x
sed -i s/a/b/ a.md
sed -n '1e evil' a.md
sed -n 'w x' a.md
sed -n 1,5p /etc/passwd
sed s/a/b/ a.md
jq env package.json
jq '$ENV' package.json
jq -n env
jq 'import "x" as x; .' package.json
jq -f x package.json
jq . /etc/passwd
awk '{print $1}' a.md
less a.md
env
printenv
date -s 2020-01-01
date '+%s' -s 2020-01-01
date -f /etc/passwd
git -c core.pager=evil log
git -C .. log
git --git-dir=x log
git --exec-path=. log
git log --output=x
git log -p --ext-diff
git show --textconv
git grep -O x
git grep --open-files-in-pager=evil x
git diff --no-index a.md /etc/passwd
git diff /etc/passwd a.md
git cat-file --filters HEAD:a.md
git branch new
git branch -D main
git tag v1
git stash
git stash pop
git remote add x y
git checkout a.md
git commit -m x
git add .
git push
"git branch -a"
git "branch -a"
GIT_EXTERNAL_DIFF=x git diff
PAGER=x git log
A=1 ls
./ls
/bin/ls
src/ls
time ls
nohup ls
nice ls
timeout 5 ls
command ls
sudo ls
npm --version
npm test
npm ls
yarn --version
go version
cargo --version
node -e 1
node --version -e 1
python3 -c 1
which $x
uname; rm -rf src
ls & rm a.md
ln -s / x; cat x/etc/passwd
cat a.md | sh
cat a.md | xargs rm
ls | tee x
unknown a.md
cat nothing-known/../../key
cat *.md
sort *
`;

it.each(lines(asked))('asks about %s', async (line) => {
  expect(await isFree(line)).toBe(false);
});

it('asks only about the part of a line that does more than read', async () => {
  const { parts, offer, isAllowed } = await judge('git status && npm test | tail -5');
  expect(parts).toEqual([
    { text: 'git status', reads: true },
    { text: 'npm test' },
    { text: 'tail -5', reads: true },
  ]);
  expect({ offer, isAllowed }).toEqual({
    offer: [{ words: ['npm', 'test'], isPrefix: false }],
    isAllowed: false,
  });
});

it('asks where PATH comes by the folder before the program', async () => {
  const paths = ['', '.', 'bin', folder, join(folder, 'src')];
  const found = await Promise.all(paths.map((one) => isFree('ls', [one, bin].join(delimiter))));
  expect(found).toEqual(paths.map(() => false));
  expect(await isFree('ls', [bin, folder].join(delimiter))).toBe(true);
  symlinkSync(join(folder, 'src'), join(root, 'elsewhere'));
  expect(await isFree('ls', [join(root, 'elsewhere'), bin].join(delimiter))).toBe(false);
  symlinkSync(join(folder, 'a.md'), join(bin, 'nosuch'));
  expect(await isFree('ls', root)).toBe(false);
});

it.each([
  [
    '[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote "o"]\n\turl = https://x/y\n',
    true,
  ],
  ['# nothing\n; nothing\n\n', true],
  ['[branch "main"]\n\tmerge = refs/heads/main\n\tvscode-merge-base = origin/main\n', true],
  ['[core]\n\tfsmonitor = evil\n', false],
  ['[core] fsmonitor = evil\n', false],
  ['[core]\n\tFSMonitor = evil\n', false],
  ['[core]\n\thooksPath = x\n', false],
  ['[core]\n\tworktree = /\n', false],
  ['[core]\n\tfilemode = true \\\nfsmonitor = evil\n', false],
  ['[diff]\n\texternal = evil\n', false],
  ['[diff "x"]\n\ttextconv = evil\n', false],
  ['[filter "x"]\n\tclean = evil\n', false],
  ['[include]\n\tpath = other\n', false],
  ['[includeIf "gitdir:/"]\n\tpath = other\n', false],
  ['[gpg]\n\tprogram = evil\n', false],
  ['[log]\n\tshowSignature = true\n', false],
  ['[format]\n\tpretty = %G?\n', false],
  ['[remote "o"]\n\tpromisor = true\n', false],
  ['[remote "o"]\n\tuploadpack = evil\n', false],
  ['[extensions]\n\tworktreeConfig = true\n', false],
  ['[submodule "x"]\n\tignore = none\n', false],
  ['[alias]\n\tstatus = !evil\n', false],
  ['[core\n]\n', false],
])('reads the configuration of a repository: %j', (text, isInert) => {
  expect(isInertConfig(text)).toBe(isInert);
});

function lines(text: string): readonly string[] {
  return text.trim().split('\n');
}
