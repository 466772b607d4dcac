import { expect, it } from 'vitest';
import { toDisposable } from '../../../../src/base/disposable.js';
import { ValueEmitter } from '../../../../src/base/valueEmitter.js';
import { ToolProfiles } from '../../../../src/mcp/catalog/records/toolProfiles.js';
import type { McpService } from '../../../../src/mcp/mcpApi.js';
import { profileChoices } from '../../../../src/presentation/switching/profileChoices.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakeFolder,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

it('offers every tool and each profile, with what it comes to beside what it is now', async () => {
  const folder = fakeFolder('api');
  const tools = ['read', 'write'].map((name) => ({
    name,
    inputSchema: {},
    annotations: { readOnlyHint: name === 'read' },
  }));
  const server = new FakeServer(fakeDefinition('files', { folder }), { kind: 'idle' }, { tools });
  const service = Object.assign(new FakeService([fakePool([]), fakePool([server], { folder })]), {
    serversFor: () => [server],
    settingsFor: () => ({}),
    trust: { isWorkspaceTrusted: true, onDidChange: () => toDisposable(() => undefined) },
  }) as unknown as McpService;
  const own = new ValueEmitter<unknown>({
    careful: { tools: [], readOnly: true },
    none: ['!*'],
    typos: ['files/reed', 'a', 'b', '!c/*', 'files/read'],
    wrong: 7,
  });
  const memory = { recall: () => undefined, remember: () => Promise.resolve() };
  const profiles = new ToolProfiles({ service, own, memory });
  await profiles.choose(folder.uri, { source: 'user', name: 'careful' });
  const switches = { isOn: () => true };
  const budget = new ValueEmitter(10_000);
  const choices = await profileChoices(folder.uri, {
    service,
    profiles,
    switches,
    budget,
    directTools: undefined,
  });
  expect(
    choices.map(({ label, detail, isChosen, isFlawed }) => [label, detail, isChosen, isFlawed]),
  ).toEqual([
    ['All Tools', expect.stringMatching(/^2\/2 tools · \d+ tokens, now \d+$/), false, false],
    ['careful', expect.stringMatching(/^1\/2 tools · (\d+) tokens, now \1$/), true, false],
    ['none', expect.stringMatching(/^0\/2 tools · 0 tokens, now [1-9]\d*$/), false, false],
    [
      'typos',
      expect.stringMatching(/^1\/2 tools .* · unmatched patterns: files\/reed, a, b, 1 more$/),
      false,
      true,
    ],
    ['wrong', 'Invalid profile: no tools', false, true],
  ]);
});
