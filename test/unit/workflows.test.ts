/** What `.github/workflows` may do and use. That a workflow is one at all is for actionlint to say. */
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from '../../package.json';
import { rings } from '../ringTable.mjs';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), 'utf8'),
}));

describe.each(workflows)('the workflow $name', ({ text }) => {
  it('uses only actions of GitHub, by commit, with their version beside it', () => {
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
    const pinned = /^(?:actions|github)\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !pinned.test(action))).toEqual([]);
  });

  it('may nothing but read, but where a job says what for', () => {
    expect(text).toMatch(/^permissions:(?: \{\}|\n {2}contents: read)$/m);
    const more = [...text.matchAll(/^ {6}([\w-]+): write$/gm)].map(([, scope]) => scope);
    const known = ['attestations', 'id-token', 'security-events'];
    expect(more.filter((scope) => !known.includes(scope ?? ''))).toEqual([]);
    expect(text).not.toMatch(/secrets\.|pull_request_target|write-all/);
  });

  it('leaves no token in the files of a job, and ends each job in time', () => {
    const count = (part: RegExp) => [...text.matchAll(part)].length;
    expect(count(/persist-credentials: false/g)).toBe(count(/uses: actions\/checkout@/g));
    expect(count(/timeout-minutes: \d+/g)).toBe(count(/runs-on: /g));
  });

  it('gives a shell no text that somebody outside writes', () => {
    const scripts = [...text.matchAll(/run: (?:\|\n(?: {10}.*\n)+|.*)/g)].map(([script]) => script);
    const filled = scripts.flatMap((script) => script.match(/\$\{\{.*?\}\}/g) ?? []);
    expect(filled.filter((value) => !value.startsWith('${{ matrix.'))).toEqual([]);
  });

  it('runs scripts and rings that there are', () => {
    const scripts = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script);
    expect(scripts.filter((script) => !(script in manifest.scripts))).toEqual([]);
    const listed = /ring: \[(.*)\]/.exec(text)?.[1]?.split(', ') ?? [];
    expect(listed.filter((ring) => !(ring in rings))).toEqual([]);
  });
});

it('runs each file of the windows in one job of ci', () => {
  const ci = workflows.find(({ name }) => name === 'ci.yml')?.text ?? '';
  const parts = [...ci.matchAll(/e2e\/[a-z](?= |$)/gm)].map(([part]) => part);
  const files = globSync(rings.e2e.files, { cwd: root });
  const times = files.map((file) => parts.filter((part) => file.includes(part)).length);
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((_, index) => times[index] !== 1)).toEqual([]);
});
