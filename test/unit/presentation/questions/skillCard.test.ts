import { expect, it } from 'vitest';
import type { McpService } from '../../../../src/mcp/mcpApi.js';
import { skillCard } from '../../../../src/presentation/questions/skillCard.js';
import { serverPageView } from '../../../../src/presentation/server/serverPageView.js';
import {
  FakeServer,
  FakeService,
  fakeDefinition,
  fakePool,
} from '../../../helpers/fakes/fakeMcp.js';

const files = ['SKILL.md', 'a b.sh'].map((path, index) => ({
  uri: `skill://forms/${path}`,
  path,
  size: index + 1,
  sha256: String(index).repeat(64),
}));
const skill = {
  uri: 'skill://forms/SKILL.md',
  name: 'forms',
  description: 'Fills in\nforms.',
  frontmatter: {},
  files,
};
const lines = files.map(({ path, size, sha256 }) => `"${path}": ${size} bytes, SHA-256 ${sha256}`);

it('is shown whole before it is used', () => {
  const definition = fakeDefinition('docs');
  expect(skillCard({ definition, skill, text: 'All\nof it.' }).rows).toEqual([
    { label: 'Skill', text: 'forms' },
    { label: 'Files', text: lines.join('\n') },
    { label: 'Text', text: 'All\nof it.' },
  ]);
});

it('stands on the page of its server, with its files', () => {
  const server = new FakeServer(fakeDefinition('docs'), { kind: 'idle' }, { skills: [skill] });
  const service = new FakeService([fakePool([server])]) as unknown as McpService;
  const page = serverPageView(
    service,
    { id: server.id, name: 'docs' },
    { isWorkspaceTrusted: true, folderTrust: () => ({ kind: 'none' }) },
  );
  const facts = page.sections.flatMap((section) => section.facts);
  expect(facts).toContainEqual({
    label: 'Skill',
    text: ['forms: Fills in forms.', ...lines].join('\n'),
  });
});
