/** Command lines that try to run more than rules of the user allow, in a real shell beside a canary. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findLinePlaces, judgeCommand } from '../../src/agent/policy/shell/commandRules.js';
import type { RuleView } from '../../src/protocol/tools/approvalRules.js';

let folder: string;
let canary: string;

/** `ok` and `git` do nothing; `evil` leaves a canary, and so does any program that is given it as an option. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shell-rules-'));
  canary = join(folder, 'canary');
  mkdirSync(join(folder, 'bin'));
  const programs = {
    evil: `: > '${canary}'`,
    ok: 'exit 0',
    git: `for one in "$@"; do case "$one" in -*evil*) evil;; esac; done; [ -z "$GIT_SSH_COMMAND" ] || $GIT_SSH_COMMAND`,
  };
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, 'bin', name), 0o755);
  }
  mkdirSync(join(folder, 'work'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rules = ['ok', 'ok a', 'git status', 'git log *', 'echo *'].map((text): RuleView => {
  const isPrefix = text.endsWith(' *');
  const words = (isPrefix ? text.slice(0, -2) : text).split(' ');
  const subject = { kind: 'command', words, isPrefix } as const;
  return { id: text, scope: 'folder', subject, since: '2026-11-22T10:00:00.000Z' };
});

async function isAllowed(line: string, given: readonly RuleView[]): Promise<boolean> {
  const places = await findLinePlaces(line, join(folder, 'work'));
  return judgeCommand(line, given, places).isAllowed;
}

function harms(line: string): boolean {
  rmSync(canary, { force: true });
  rmSync(join(folder, 'work'), { recursive: true, force: true });
  mkdirSync(join(folder, 'work'));
  writeFileSync(join(folder, 'work', '-evil'), '');
  spawnSync('/bin/bash', ['-c', line], {
    cwd: join(folder, 'work'),
    env: { PATH: join(folder, 'bin') },
    timeout: 5_000,
    input: 'evil\n',
  });
  return existsSync(canary) || existsSync(join(folder, 'work', 'written'));
}

/** Ways around such rules that people have reported of agents. */
const bypasses = [
  'git status; evil',
  'git status\nevil',
  'git status & evil',
  'git status && evil',
  'git missing || evil',
  'git status | evil',
  'git status |& evil',
  'echo $(evil)',
  'echo "$(evil)"',
  'echo "a $(ok; evil) b"',
  'echo `evil`',
  'echo "`evil`"',
  'echo ${x:-$(evil)}',
  'echo "${x:-`evil`}"',
  'echo $(( $(evil) ))',
  'echo <(evil)',
  'echo x > written',
  'echo x >> written',
  'echo x >| written',
  'echo x &> written',
  'echo x 1> written',
  'echo x 2>&1 > written',
  'git log --upload-pack=evil',
  'git log "--upload-pack=evil"',
  "git log '-'-upload-pack=evil",
  'git log \\-\\-upload-pack=evil',
  'git log *',
  'git log {a,-evil}',
  'git log ?evil',
  'git log [-]evil',
  'GIT_SSH_COMMAND=evil git log',
  'x=evil; $x',
  'env evil',
  'command evil',
  'time evil',
  'nohup evil',
  'exec evil',
  'eval evil',
  'eval "ev""il"',
  'bash -c evil',
  'echo evil | bash',
  'bash <<< evil',
  'bash <<EOF\nevil\nEOF',
  'ok <<EOF\n$(evil)\nEOF',
  'ok() { evil; }; ok',
  'alias ok=evil\nshopt -s expand_aliases\nok',
  'if ok; then evil; fi',
  '{ evil; }',
  '(evil)',
  '! evil',
  'ok # comment \\\nevil',
  'ok #\nevil',
  "echo 'a' ; e'v'il",
  'echo \\\n; evil',
  'e\\vil',
  '"evil"',
  '$(echo evil)',
  'a[$(evil)]=1',
  'PATH=$PATH:. evil',
  'trap evil EXIT',
  'coproc evil',
  'case a in a) evil;; esac',
  'while evil; do break; done',
  "printf -v 'a[$(evil)]' x",
  '[[ -v a[$(evil)] ]]',
  '((a[$(evil)]))',
  "echo $'\\x27'; evil",
  'ok &&\nevil',
];

it.each(bypasses)('are asked about: %j', async (line) => {
  expect(await isAllowed(line, rules)).toBe(false);
});

it('would run something without the question', () => {
  const harmless = bypasses.filter((line) => !harms(line));
  // those need what this folder lacks
  expect(harmless.length).toBeLessThan(bypasses.length / 4);
  expect(harms('evil')).toBe(true);
});

it('run nothing else when rules allow them, whatever they are made of', async () => {
  const piece = fc.constantFrom(
    ...['ok', 'ok a', 'git status', 'git log x', 'echo', 'evil', '-evil', 'written', 'x'],
    ...[
      ' ',
      ' ',
      ' ',
      '\n',
      '\t',
      ';',
      '&',
      '&&',
      '|',
      '||',
      '|&',
      '(',
      ')',
      '{ ',
      '; }',
      '#',
      '\\',
      '\\\n',
    ],
    ...[
      "'",
      '"',
      '`',
      '$',
      '$(',
      '${',
      '}',
      '$((',
      '<',
      '>',
      '>>',
      '>&2',
      '2>&1',
      '<<E\n',
      'E\n',
      '<<<',
      '>/dev/null',
    ],
    ...[
      '=',
      'A=',
      '*',
      '?',
      '[-]',
      '{-evil,x}',
      '~',
      '!',
      'time ',
      'command ',
      'nohup ',
      '--',
      '"$(',
      ')"',
    ],
  );
  let allowed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 9 }), async (pieces) => {
      const line = pieces.join('');
      if (await isAllowed(line, rules)) {
        allowed++;
        expect(harms(line)).toBe(false);
      }
    }),
    { numRuns: 30_000, seed: 16 },
  );
  expect(allowed).toBeGreaterThan(50);
}, 600_000);

/** Whether the line shows what lies outside of the folder, and in the home folder that is there. */
function leaks(line: string): boolean {
  const work = join(folder, 'work');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'a'), { recursive: true });
  writeFileSync(join(work, 'b'), '');
  mkdirSync(join(folder, 'home', '.ssh'), { recursive: true });
  writeFileSync(join(folder, 'home', '.ssh', 'id_rsa'), 'canary of the user\n');
  writeFileSync(join(folder, 'key'), 'canary of the user\n');
  const { stdout, stderr } = spawnSync('/bin/bash', ['-c', line.replaceAll('OUT', folder)], {
    cwd: work,
    env: { PATH: '/usr/bin:/bin', HOME: join(folder, 'home'), ELSEWHERE: folder },
    timeout: 5_000,
    input: '',
  });
  return /canary of the user|id_rsa$/m.test(`${stdout}${stderr}`);
}

const readRules = ['cat *', 'ls *', 'grep *', 'grep -r *', 'head *', 'diff *', 'cd a', 'cd ..'].map(
  (text): RuleView => {
    const isPrefix = text.endsWith(' *');
    const words = (isPrefix ? text.slice(0, -2) : text).split(' ');
    const subject = { kind: 'command', words, isPrefix } as const;
    return { id: text, scope: 'folder', subject, since: '2026-11-22T10:00:00.000Z' };
  },
);

/** Each shows the canary, so that a row that is refused for another reason is seen. */
const outward = [
  'cat ~/.ssh/id_rsa',
  'cat OUT/key',
  "cat 'OUT/key'",
  'cat "OUT"/key',
  'cat \\OUT/key',
  'cat //OUT/key',
  'cat ../key',
  'cat a/../../key',
  'cat ./../key',
  'cat "a/"../../key',
  "cat .'.'/key",
  'cat .\\./key',
  'cat $ELSEWHERE/key',
  'cat "$ELSEWHERE"/key',
  'cat ${ELSEWHERE}/key',
  'cat $HOME/.ssh/id_rsa',
  'cat a/$ELSEWHERE/../../../$ELSEWHERE/key || cat ../key',
  'cat OUT/k*',
  'cat OUT/ke?',
  'cat ~/.ssh/*',
  'cat ../k*',
  'cat a/../../k*',
  'cat {OUT,a}/key',
  'cat a{/../..,}/key',
  'cat {..,a}/key',
  'cat .{.,}/key',
  'cat .?/key',
  'cat .*/key',
  'cat .[.]/key',
  'cat a/.?/.?/key',
  'ls ~/.ssh',
  'ls ~/.ssh/',
  'grep canary ../key',
  'grep canary ~/.ssh/id_rsa',
  'grep -r canary OUT',
  'grep --file=OUT/key OUT/key',
  'grep -fOUT/key OUT/key',
  'head ../key',
  'diff ../key b',
  'ls a && cat OUT/key',
  'cd .. && cat key',
  'cd ..; cat k*',
  '(cd ..; cat key)',
  'cd a && cd .. && cd .. && cat key',
];

it.each(outward)('are asked about outside of the folder: %j', async (line) => {
  expect(await isAllowed(line.replaceAll('OUT', folder), readRules)).toBe(false);
});

it('would show it without the question', () => {
  const silent = outward.filter((line) => !leaks(line));
  // they differ between versions of the shell
  const varying = ['cat .?/key', 'cat .*/key', 'cat .[.]/key', 'cat a/.?/.?/key'];
  expect(silent.filter((line) => !varying.includes(line))).toEqual([]);
});

it('stay inside when rules allow them, whatever the words are made of', async () => {
  const piece = fc.constantFrom(
    ...['/', '/', '..', '..', '.', '~', '~/', 'a', 'key', '.ssh', 'id_rsa', 'OUT', '$HOME'],
    ...[
      '$ELSEWHERE',
      '*',
      '?',
      '[.]',
      '{',
      ',',
      '}',
      "'",
      '"',
      '\\',
      '=',
      ':',
      'x=',
      '-f',
      ' ',
      ' ',
    ],
    ...['cd ', ' cat ', ';', ' && ', '(', ')'],
  );
  let allowed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 7 }), async (pieces) => {
      const line = `cat ${pieces.join('')}`;
      if (await isAllowed(line.replaceAll('OUT', folder), readRules)) {
        allowed++;
        expect(leaks(line)).toBe(false);
      }
    }),
    { numRuns: 3_000, seed: 17 },
  );
  expect(allowed).toBeGreaterThan(50);
}, 600_000);

it('are run by a shell that is there', () => {
  expect(execFileSync('/bin/bash', ['-c', 'echo x']).toString()).toBe('x\n');
});
