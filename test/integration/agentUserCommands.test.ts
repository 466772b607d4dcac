/** What the user runs by `!` in the panel, with the real Pi and a real shell. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isAlive } from '../helpers/coreHarness.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { typeCommand } from '../helpers/fakes/typeCommand.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';
import { writeDemoModels } from '../workbench/demo/demoModel.mjs';

const harness = useAgentHarness();

const untilEnded = (h: AgentHarness) =>
  h.until('the end of a command', () => {
    const own = h.tools().filter(({ byUser }) => byUser);
    return own.length === 1 && own.every(({ status }) => status !== 'running');
  });
/** What the model got with the last request. */
const asked = (h: AgentHarness) => JSON.stringify(h.demo.requests.at(-1)?.messages);
const result = (h: AgentHarness) => h.tools().map(({ result: [block] }) => block);
const text = (said: unknown) => ({ kind: 'text', text: said });

it('runs a line in the folder at once, shows it, and gives it to the model with the next message', async () => {
  const h = await harness();
  await h.panel.ensureSession();
  const line = '!echo "in $PWD"; echo "$VSCODE_PID-$GIT_OPTIONAL_LOCKS"; exit 3';
  process.env.VSCODE_PID = 'editor';
  expect(await typeCommand(h, line)).toEqual({ kind: 'done' });
  await untilEnded(h);
  delete process.env.VSCODE_PID;
  expect(h.tools()).toMatchObject([{ status: 'failed', byUser: { isPrivate: false } }]);
  const output = `in ${h.folders[0]?.fsPath}\n-0`;
  expect(result(h)).toEqual([text(`${output}\n\nCommand exited with code 3`)]);
  expect(h.demo.requests).toEqual([]);
  expect(h.panel.snapshot().state.approvals).toEqual([]);
  await h.say('hello');
  expect(asked(h)).toContain(JSON.stringify(output).slice(1, -1));
  expect(asked(h)).toContain('Command exited with code 3');
  expect(h.logged.join('\n')).not.toContain('echo');
  // as Pi in a terminal keeps it, and again after a reload
  await h.reload();
  expect(result(h)).toEqual([text(`${output}\n\nCommand exited with code 3`)]);
});

it('keeps !! from the model, and from it alone', async () => {
  const h = await harness();
  await h.panel.ensureSession();
  await typeCommand(h, '!!printf "\\033[31mcanary\\033[0m\\007"');
  await untilEnded(h);
  await h.say('hello');
  expect(asked(h)).toContain('hello');
  expect(asked(h)).not.toContain('canary');
  const [entry] = h.tools();
  expect(entry).toMatchObject({ byUser: { isPrivate: true }, result: [text('canary')] });
  await h.reload();
  expect(h.tools()).toMatchObject([{ byUser: { isPrivate: true }, result: [text('canary')] }]);
  await h.say('again');
  expect(asked(h)).not.toContain('canary');
});

it('shows what it gives out while it runs, and stops it with all that it started', async () => {
  const h = await harness();
  await h.panel.ensureSession();
  await typeCommand(h, '!echo $$; sleep 600');
  const [row] = (
    await h.until('its output', () => /^\d+/.test(JSON.stringify(result(h)).replace(/\D+/, '')))
  ).transcript;
  expect(row).toMatchObject({ status: 'running' });
  expect(await typeCommand(h, '!ls')).toMatchObject({ kind: 'refused', mayBeText: true });
  // a run beside it begins and ends
  await h.say('hello');
  expect(h.tools()).toMatchObject([{ status: 'running' }]);
  const [block] = result(h);
  const pid = Number(block?.kind === 'text' ? block.text : Number.NaN);
  h.panel.cancelCall(row?.id ?? '');
  await untilEnded(h);
  expect(result(h)).toEqual([text(`${pid}\n\nCommand aborted`)]);
  expect(isAlive(pid)).toBe(false);
  await h.say('and now');
  expect(asked(h)).toContain('command cancelled');
});

it('ends with its window', async () => {
  const h = await harness();
  await h.panel.ensureSession();
  const mark = join(h.root, 'ended');
  await typeCommand(h, `!trap 'echo > ${mark}; exit' TERM; echo $$; sleep 600`);
  await h.until('its output', () => /\d/.test(JSON.stringify(result(h))));
  const [block] = result(h);
  const pid = Number(block?.kind === 'text' ? block.text : Number.NaN);
  await h.reload();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

it('needs no model, and what it gave reaches the one that is chosen then', async () => {
  const h = await harness({ hasModel: false });
  expect((await h.panel.ensureSession()).state.status).toBe('unavailable');
  await typeCommand(h, '!echo before any model');
  await untilEnded(h);
  expect(h.panel.snapshot().state.status).toBe('unavailable');
  await writeDemoModels(h.modelsPath, h.demo.url);
  await h.panel.reloadModels();
  await h.untilDone();
  await h.say('hello');
  expect(asked(h)).toContain('before any model');
});

it.each(['deleted', 'started again'] as const)(
  'talks to a new model after what the user ran before there was one was %s',
  async (what) => {
    const h = await harness({ hasModel: false });
    await h.panel.ensureSession();
    await typeCommand(h, '!echo before any model');
    await untilEnded(h);
    if (what === 'deleted') {
      await h.panel.library.delete(h.panel.snapshot().conversation);
    } else {
      h.workspace.setTrusted(true);
      await h.panel.whenStarted();
    }
    await writeDemoModels(h.modelsPath, h.demo.url);
    await h.panel.reloadModels();
    expect(h.panel.snapshot().state.problem).toBeUndefined();
    await h.untilDone();
    await h.say('hello');
    expect(asked(h)).toContain('hello');
  },
);

it('keeps what ran before the first message when the conversation starts again', async () => {
  const h = await harness();
  await h.panel.ensureSession();
  await typeCommand(h, '!echo early bird');
  await untilEnded(h);
  h.workspace.setTrusted(true);
  await h.panel.whenStarted();
  expect(result(h)).toEqual([text('early bird')]);
  await h.say('hello');
  expect(asked(h)).toContain('early bird');
});

it('gives the model a long output as far as one result may go, and says where all of it is', async () => {
  const h = await harness();
  await h.panel.ensureSession();
  await typeCommand(h, '!seq 1 60000');
  await untilEnded(h);
  const [block] = result(h);
  const shown = block?.kind === 'text' ? block.text : '';
  expect(shown).toMatch(/60000\n\n\[Output truncated\. Full output: .*\]$/);
  const path = /Full output: (.*)\]$/.exec(shown)?.[1] ?? '';
  expect((await readFile(path, 'utf8')).startsWith('1\n2\n')).toBe(true);
  await h.say('hello');
  expect(asked(h)).toContain('Output truncated');
});

it('says what comes after a mark alone, and that nothing runs in Restricted Mode', async () => {
  const h = await harness({ isTrusted: false });
  await h.panel.ensureSession();
  await writeFile(join(h.root, 'canary'), '');
  expect(await typeCommand(h, '! ')).toMatchObject({ kind: 'refused' });
  expect(await typeCommand(h, '!rm ../canary')).toEqual({
    kind: 'refused',
    text: 'Restricted Mode: nothing in this workspace is started. Trust the workspace.',
    near: [],
    mayBeText: true,
  });
  expect(h.tools()).toEqual([]);
  await readFile(join(h.root, 'canary'));
});
