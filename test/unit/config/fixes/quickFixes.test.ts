import { applyEdits, type Edit } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import {
  convertShape,
  moveSecret,
  pinPackage,
  quickFixes,
} from '../../../../src/config/fixes/quickFixes.js';
import { lintConfig } from '../../../../src/config/lint/lintConfig.js';
import type { LintSurroundings } from '../../../../src/config/lint/lintTypes.js';
import { parseJsonDocument } from '../../../../src/config/parse/jsonDocument.js';
import { parseConfig } from '../../../../src/config/parse/parseConfig.js';

const surroundings: LintSurroundings = {
  isVariableSet: () => true,
  findCommand: async (command) => ({
    isFound: false,
    ...(command === 'tool' ? { elsewhere: '/opt/bin/tool' } : {}),
    searchedCount: 1,
  }),
  findRoot: async (path) =>
    path === '/' ? { kind: 'outside', link: undefined, target: '/' } : { kind: 'given', path },
  isDirectory: async () => true,
  isIgnoredByGit: async () => false,
  usesClient: () => true,
  cwdOf: () => '/work',
};

function read(text: string) {
  const document = parseJsonDocument(text);
  return { document, file: parseConfig(text, { path: '/work/.mcp.json', layer: 'project' }) };
}

/** The text after the only fix for the only problem with that code. */
async function fixed(text: string, code: string, unset?: string): Promise<string> {
  const { document, file } = read(text);
  const findings = await lintConfig(
    { document, file, isCommitted: true },
    { ...surroundings, isVariableSet: (name) => name !== unset },
  );
  const problems = [...findings, ...file.problems, ...file.entries.flatMap((e) => e.problems)];
  const [problem] = problems.filter((candidate) => candidate.code === code);
  expect(problem, `a problem ${code}`).toBeDefined();
  const [fix] = problem ? quickFixes(document, file, problem) : [];
  return apply(text, fix?.edits);
}

function apply(text: string, edits: readonly Edit[] | undefined): string {
  expect(edits, 'edits').toBeDefined();
  return applyEdits(text, [...(edits ?? [])]);
}

describe('quickFixes', () => {
  it.each([
    [
      'adds the type that Claude Code needs, in front',
      'claude-code-needs-type',
      '{\n  "mcpServers": {\n    "a": {\n      "url": "https://e.com" // keep\n    }\n  }\n}\n',
      '{\n  "mcpServers": {\n    "a": {\n      "type": "http",\n      "url": "https://e.com" // keep\n    }\n  }\n}\n',
    ],
    [
      'removes the folder that a server is not told of, and no other',
      'root-not-given',
      '{"mcpServers":{"a":{"command":"x","roots":["a", 3, "/", "b"]}}}',
      '{"mcpServers":{"a":{"command":"x","roots":["a", 3, "b"]}}}',
    ],
    [
      'writes the path where the executable was found',
      'executable-not-found',
      '{"mcpServers":{"a":{"command":"tool","args":["x"]}}}',
      '{"mcpServers":{"a":{"command":"/opt/bin/tool","args":["x"]}}}',
    ],
    [
      'renames the wrapper and nothing else',
      'claude-code-shape',
      '{ "servers": { "servers": { "command": "x" } } }',
      '{ "mcpServers": { "servers": { "command": "x" } } }',
    ],
    [
      'removes the declaration that does not count',
      'duplicate-name',
      '{\n  "mcpServers": {\n    "a": { "command": "old" },\n    "b": { "command": "y" },\n    "a": { "command": "new" }\n  }\n}',
      '{\n  "mcpServers": {\n    "b": { "command": "y" },\n    "a": { "command": "new" }\n  }\n}',
    ],
  ])('%s', async (_what, code, text, mended) => {
    expect(await fixed(text, code)).toBe(mended);
  });

  it('removes it from the list that counts, where a file has two', async () => {
    const server = (...lists: readonly string[]) =>
      `{"mcpServers":{"a":{"command":"x",${lists.map((list) => `"roots":${list}`).join()}}}}`;
    expect(await fixed(server('["z"]', '["a", "b", "/"]'), 'root-not-given')).toBe(
      server('["z"]', '["a", "b"]'),
    );
  });

  it.each([
    ['{"command":"npx -y foo"}', '{"command":"npx", "args": ["-y", "foo"]}'],
    ['{"command":"npx -y foo","args":["."]}', '{"command":"npx","args":["-y", "foo", "."]}'],
  ])('writes the words of a command line where they belong: %s', async (entry, mended) => {
    expect(await fixed(`{"mcpServers":{"a":${entry}}}`, 'executable-not-found')).toBe(
      `{"mcpServers":{"a":${mended}}}`,
    );
  });

  it('has a title of one short line, whatever the command line holds', async () => {
    const command = `n\u202ex ${'x'.repeat(1000)} --token s3cret`;
    const { document, file } = read(JSON.stringify({ mcpServers: { a: { command } } }));
    const findings = await lintConfig({ document, file, isCommitted: true }, surroundings);
    const finding = findings.find(({ code }) => code === 'executable-not-found');
    expect(finding && quickFixes(document, file, finding).map(({ title }) => title)).toEqual([
      'Write "command": “n\\u202ex”, "args": […]',
    ]);
  });

  it('leaves a path with blanks and quotation marks alone', async () => {
    for (const command of ['/opt/my tool', "npx 'a b'", 'npx']) {
      const { document, file } = read(JSON.stringify({ mcpServers: { a: { command } } }));
      const [finding] = await lintConfig({ document, file, isCommitted: true }, surroundings);
      expect(finding?.code).toBe('executable-not-found');
      expect(finding && quickFixes(document, file, finding)).toEqual([]);
    }
  });

  it('asks for a variable that is not set, and fills one in that a shell would', async () => {
    const text =
      '{"mcpServers":{"a":{"command":"x","env":{"A":"v=${API_KEY}"},"args":["$HOME/y"]}}}';
    const asked = JSON.parse(await fixed(text, 'unknown-variable', 'API_KEY'));
    expect(asked.mcpServers.a.env.A).toBe('v=${input:api-key}');
    expect(asked.inputs).toMatchObject([{ id: 'api-key', password: true }]);
    expect(await fixed(text, 'shell-variable')).toBe(text.replace('$HOME', '${HOME}'));
  });

  it('writes a place in its own letters, and asks for no input of that name', async () => {
    const text = '{"mcpServers":{"a":{"command":"x","env":{"A":"${workspacefolder}/y"}}}}';
    expect(await fixed(text, 'unknown-variable', 'workspacefolder')).toBe(
      text.replace('workspacefolder', 'workspaceFolder'),
    );
  });

  it('renames a field to the one that was meant, if the entry has it not', async () => {
    const text = '{"mcpServers":{"a":{ "comand": "x" /* keep */ }}}';
    expect(await fixed(text, 'unknown-field')).toBe(text.replace('comand', 'command'));
    const { document, file } = read('{"mcpServers":{"a":{"comand":"x","command":"y"}}}');
    const nested = read('{"mcpServers":{"a":{"url":"https://a.b","oauth":{"comand":"x"}}}}');
    const far = read('{"mcpServers":{"a":{"command":"x","zzzzzz":1}}}');
    for (const one of [{ document, file }, nested, far]) {
      const problems = one.file.entries.flatMap((entry) => entry.problems);
      const unknown = problems.find(({ code }) => code === 'unknown-field');
      expect(unknown && quickFixes(one.document, one.file, unknown)).toEqual([]);
    }
  });

  it('gives a block its name, where there is none', async () => {
    const text = '{ "mcpservers": { "a": { "command": "x" } } }';
    expect(await fixed(text, 'unread-servers')).toBe(
      '{ "mcpServers": { "a": { "command": "x" } } }',
    );
    const { document, file } = read('{ "mcpServers": {}, "mcps": { "a": { "command": "x" } } }');
    expect(file.problems.flatMap((problem) => quickFixes(document, file, problem))).toEqual([]);
  });
});

describe('convertShape', () => {
  it('goes back and forth', () => {
    const text = '{ "servers": {} }';
    const once = apply(text, convertShape(...both(text))[0]?.edits);
    expect(once).toBe('{ "mcpServers": {} }');
    expect(apply(once, convertShape(...both(once))[0]?.edits)).toBe(text);
  });

  it('offers nothing when the other name is taken or there is no wrapper', () => {
    expect(convertShape(...both('{ "servers": {}, "mcpServers": {} }'))).toEqual([]);
    expect(convertShape(...both('{ "a": { "command": "x" } }'))).toEqual([]);
  });
});

it('pins a package in its argument', () => {
  const text = '{"mcpServers":{"a":{"command":"npx","args":["-y","@s/p@latest"]}}}';
  const fix = pinPackage(
    read(text).document,
    { valuePath: ['mcpServers', 'a', 'args', 1], packageName: '@s/p', written: '@s/p@latest' },
    '1.2.3',
  );
  expect(apply(text, fix.edits)).toBe(text.replace('@latest', '@1.2.3'));
});

it('pins a package in the line of a shell', () => {
  const text = '{"mcpServers":{"a":{"command":"sh","args":["-c","npx -y p --p"]}}}';
  const valuePath = ['mcpServers', 'a', 'args', 1];
  const fix = pinPackage(
    read(text).document,
    { valuePath, packageName: 'p', written: 'p' },
    '1.2.3',
  );
  expect(apply(text, fix.edits)).toBe(text.replace('-y p', '-y p@1.2.3'));
});

it('keeps the flag that the package is written behind', () => {
  const text = '{"mcpServers":{"a":{"command":"npx","args":["--package=p","tool"]}}}';
  const fix = pinPackage(
    read(text).document,
    { valuePath: ['mcpServers', 'a', 'args', 0], packageName: 'p', written: 'p' },
    '1.2.3',
  );
  expect(apply(text, fix.edits)).toBe(text.replace('=p', '=p@1.2.3'));
});

describe('moveSecret', () => {
  it('leaves a reference, keeps the scheme readable and declares the input once', () => {
    const text = `{
  "mcpServers": {
    "a": { "type": "http", "url": "https://e.com", "headers": { "Authorization": "Bearer s3cret" } }
  },
  "inputs": [
    { "id": "a-authorization" }
  ]
}`;
    const { document, file } = read(text);
    const path = ['mcpServers', 'a', 'headers', 'Authorization'];
    const move = moveSecret(document, file, path, 'a-authorization');
    expect(move).toMatchObject({ inputId: 'a-authorization-2', value: 's3cret' });
    const after = JSON.parse(apply(text, move?.edits));
    expect(after.mcpServers.a.headers.Authorization).toBe('Bearer ${input:a-authorization-2}');
    expect(after.inputs).toHaveLength(2);
    expect(after.inputs[1]).toMatchObject({ id: 'a-authorization-2', password: true });
    expect(JSON.stringify(after)).not.toContain('s3cret');
  });

  it('keeps the flag of an argument', () => {
    const text = '{"mcpServers":{"a":{"command":"x","args":["--api-key=s3cret"]}}}';
    const move = moveSecret(...both(text), ['mcpServers', 'a', 'args', 0], 'k');
    expect(move?.value).toBe('s3cret');
    expect(JSON.parse(apply(text, move?.edits)).mcpServers.a.args).toEqual([
      '--api-key=${input:k}',
    ]);
  });

  it('keeps the name of a variable or header of an argument', () => {
    const args = ['-e', 'API_KEY=s3cret', '--header', 'Authorization: Bearer s4cret'];
    const text = JSON.stringify({ mcpServers: { a: { command: 'x', args } } });
    const at = (index: number) =>
      moveSecret(...both(text), ['mcpServers', 'a', 'args', index], 'k');
    expect(at(1)?.value).toBe('s3cret');
    expect(at(3)?.value).toBe('s4cret');
    expect(JSON.parse(apply(text, at(3)?.edits)).mcpServers.a.args[3]).toBe(
      'Authorization: Bearer ${input:k}',
    );
  });

  it('touches nothing but the value and the inputs', () => {
    const text = `{
\t"mcpServers": {
\t\t"a": { "command": "x", "env": { "A_TOKEN": "s3cret" } }, // of a
\t\t"b" : {"command":"y", "args":[ "1","2" ]} // of b
\t}
}
`;
    const path = ['mcpServers', 'a', 'env', 'A_TOKEN'];
    const move = moveSecret(...both(text), path, 'k');
    const inputs = `,
\t"inputs": [
\t\t{
\t\t\t"id": "k",
\t\t\t"type": "promptString",
\t\t\t"description": "k",
\t\t\t"password": true
\t\t}
\t]
}
`;
    expect(apply(text, move?.edits)).toBe(
      text.replace('s3cret', '${input:k}').replace('\n}\n', `${inputs}`),
    );
  });

  it('keeps the inputs that are there, with their comments', () => {
    const inputs = '[\n    { "id": "j" }, // first\n  ]';
    const text = `{\n  "inputs": ${inputs},\n  "servers": { "a": { "url": "https://e.com", "bearerToken": "s3cret" } }\n}`;
    const move = moveSecret(...both(text), ['servers', 'a', 'bearerToken'], 'k');
    const after = apply(text, move?.edits);
    expect(after).toContain('[\n    { "id": "j" }, // first\n    {\n      "id": "k",');
    expect(after).toContain('"bearerToken": "${input:k}" } }\n}');
  });

  it('does nothing when the value is gone', () => {
    expect(moveSecret(...both('{"mcpServers":{}}'), ['mcpServers', 'a'], 'k')).toBeUndefined();
  });
});

function both(text: string) {
  const { document, file } = read(text);
  return [document, file] as const;
}
