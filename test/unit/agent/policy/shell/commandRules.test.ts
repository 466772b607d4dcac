import { expect, it } from 'vitest';
import {
  type CommandPattern,
  isKnownShell,
  judgeCommand,
} from '../../../../../src/agent/policy/shell/commandRules.js';
import { readCommands } from '../../../../../src/agent/policy/shell/readCommands.js';
import type { RuleView } from '../../../../../src/protocol/tools/approvalRules.js';

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
  expect(judgeCommand(line, [])).toEqual({ isAllowed: false, parts: [] });
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
