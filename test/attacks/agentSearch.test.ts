/** The agent's searches, with the real ripgrep: patterns and names that look like options, and what ignore files leave out. */
import { expect, it } from 'vitest';
import { AgentScene } from '../helpers/attacks/agentScene.js';
import { useSearchProgram } from '../helpers/attacks/searchProgram.js';

useSearchProgram();

const call = (tool: string, args: object) => `call ${tool} ${JSON.stringify(args)}`;

function lastResult(s: AgentScene): string {
  return JSON.stringify(s.agent.tools().at(-1)?.result);
}

it('searches for words that look like options, and among names that do', async () => {
  const s = await AgentScene.create({
    files: () => ({ '--pre=sh': 'planted here', 'a.md': '--follow\nplanted too', '-e': 'none' }),
  });
  await s.say(call('grep', { pattern: '--follow' }));
  expect(lastResult(s)).toContain('a.md:1: --follow');
  await s.say(call('grep', { pattern: 'planted', path: '--pre=sh' }));
  expect(lastResult(s)).toContain('--pre=sh:1: planted here');
  expect(lastResult(s)).not.toContain('a.md');
  await s.say(call('grep', { pattern: 'planted', glob: '--pre=sh' }));
  expect(lastResult(s)).not.toContain('a.md');
  await s.say(call('find', { pattern: '--files-with-matches' }));
  expect(lastResult(s)).toContain('Nothing found.');
  await s.say(call('find', { pattern: '!a.md' }));
  expect(lastResult(s)).toContain('Nothing found.');
  await s.say(call('find', { pattern: '-e' }));
  expect(lastResult(s)).toContain('"-e"');
});

it('finds what ignore files leave, with lines around, up to a limit', async () => {
  const s = await AgentScene.create({
    files: () => ({
      '.gitignore': '*.log\nbuilt/\n',
      'all.log': 'word',
      'built/a.ts': 'word',
      'src/a.ts': 'one\nword two\nthree\nWORD four\n',
      'src/deep/b.ts': 'literal w.rd\n',
      '.hidden/c.ts': 'none\n',
    }),
  });
  await s.say(call('grep', { pattern: 'word', context: 1 }));
  expect(lastResult(s)).toContain('src/a.ts-1- one\\nsrc/a.ts:2: word two\\nsrc/a.ts-3- three');
  expect(lastResult(s)).not.toMatch(/log|built|WORD/);
  await s.say(call('grep', { pattern: 'word', ignoreCase: true, limit: 1 }));
  expect(lastResult(s)).toContain('only the first 1');
  expect(lastResult(s)).not.toContain('four');
  await s.say(call('grep', { pattern: 'w.rd', literal: true, glob: '*.ts', path: 'src' }));
  expect(lastResult(s)).toContain('"deep/b.ts:1: literal w.rd"');
  await s.say(call('grep', { pattern: 'a(' }));
  expect(lastResult(s)).toContain('unclosed group');
  await s.say(call('find', { pattern: '*.{ts,log}' }));
  expect(lastResult(s)).toContain('".hidden/c.ts\\nsrc/a.ts\\nsrc/deep/b.ts"');
  await s.say(call('find', { pattern: 'src/**/*.ts', limit: 1 }));
  expect(lastResult(s)).toContain('src/a.ts\\n\\n[only the first 1');
});
