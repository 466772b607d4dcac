/** Models of the editor come when their extensions have started: whoever has others does not wait for them. */
import { expect, it } from 'vitest';
import type { EditorModel } from '../../src/agent/models/editor/port.js';
import { Models } from '../../src/agent/models/models.js';
import type { AgentHarness } from '../helpers/fakes/agentHarness.js';
import { createDeferred } from '../helpers/fakes/deferred.js';
import { FakeEditorModels } from '../helpers/fakes/fakeEditorModels.js';
import { useAgentHarness } from '../helpers/fakes/useAgentHarness.js';

const harness = useAgentHarness();
const providersOf = ({ panel }: AgentHarness) => panel.models.map(({ provider }) => provider);

/** Lists its models when it is told to. */
class SlowEditorModels extends FakeEditorModels {
  private readonly started = createDeferred();
  timesAsked = 0;

  constructor() {
    super(() => [{ kind: 'text', text: 'Hello.' }]);
  }

  override async list(): Promise<readonly EditorModel[]> {
    this.timesAsked++;
    await this.started.promise;
    return this.models;
  }

  start(): void {
    this.started.resolve();
  }
}

it('is not asked before the models of Pi can be used, and joins them', async () => {
  const h = await harness();
  const pi = await import('../../src/agent/pi/piEntry.js');
  const editor = new SlowEditorModels();
  const models = await Models.create(pi, h.agentDir, editor);
  try {
    expect(models.first).toMatchObject({ id: 'demo-1' });
    expect(editor.timesAsked).toBe(0);
    const joined = new Promise<void>((resolve) => models.editor?.onDidChange(() => resolve()));
    models.start();
    editor.start();
    await joined;
    await models.readEditor();
    expect(models.all.map(({ provider }) => provider)).toContain('vscode-lm');
  } finally {
    models.dispose();
  }
});

it('answers with a model of Pi while the editor is still looking, and offers its models then', async () => {
  const editor = new SlowEditorModels();
  const h = await harness({ editorModels: editor });
  await h.panel.ensureSession();
  await h.say('hello');
  expect(providersOf(h)).not.toContain('vscode-lm');
  const { conversation } = h.panel.snapshot();
  editor.start();
  await expect.poll(() => providersOf(h)).toContain('vscode-lm');
  // nothing is begun anew
  expect(h.panel.snapshot()).toMatchObject({ conversation, state: { model: { id: 'demo-1' } } });
  expect(h.panel.snapshot().transcript).toHaveLength(2);
});

it('is waited for by a user who chose one of its models, or has no other', async () => {
  const editor = new SlowEditorModels();
  const h = await harness({ editorModels: editor });
  await h.panel.ensureSession();
  editor.start();
  await expect.poll(() => providersOf(h)).toContain('vscode-lm');
  await h.panel.selectModel('vscode-lm', 'copilot/gpt-x');
  const { state } = await h.reload();
  expect(state.model).toMatchObject({ provider: 'vscode-lm' });
});
