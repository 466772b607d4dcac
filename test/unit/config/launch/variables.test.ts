import { describe, expect, it } from 'vitest';
import type { McpServerLaunch } from '../../../../src/config/definition.js';
import {
  parseTemplate,
  variablesIn,
  variablesOf,
} from '../../../../src/config/launch/variables.js';

/** Literal text as it is, variables as `<kind name>` or `<kind name|default>`. */
function show(value: string): string {
  const render = (parts: ReturnType<typeof parseTemplate>): string =>
    parts
      .map((part) => {
        if (part.kind === 'text') {
          return part.text;
        }
        const fallback = part.fallback ? `|${render(part.fallback)}` : '';
        return `<${part.variable.kind} ${part.variable.name}${fallback}>`;
      })
      .join('');
  return render(parseTemplate(value));
}

describe('templates', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['plain', 'plain'],
    ['', ''],
    ['${A}', '<env A>'],
    ['x${A}y${B}z', 'x<env A>y<env B>z'],
    ['${A:-d}', '<env A|d>'],
    ['${A:-}', '<env A|>'],
    ['${A:-http://x:80/{y}}', '<env A|http://x:80/{y}>'],
    ['${A:-${B:-c}}', '<env A|<env B|c>>'],
    ['${env:A}', '<env A>'],
    ['${env:ProgramFiles(x86)}', '<env ProgramFiles(x86)>'],
    ['$env:A/b', '<env A>/b'],
    ['{env:A}', '<env A>'],
    ['${input:my-key}', '<input my-key>'],
    ['${workspaceFolder}/a', '<place workspaceFolder>/a'],
    ['${userHome}${/}a', '<place userHome><place pathSeparator>a'],
    ['${config:a.b}', '<unknown config:a.b>'],
    ['$A', '$A'],
    ['$$', '$$'],
    ['${', '${'],
    ['${A', '${A'],
    ['${}', '${}'],
    ['${a b}', '${a b}'],
    ['{"json": {"a": 1}}', '{"json": {"a": 1}}'],
    ['pa$$w{o}rd$', 'pa$$w{o}rd$'],
  ];
  it.each(cases)('reads %s as %s', (value, expected) => {
    expect(show(value)).toBe(expected);
  });

  it('knows where each variable stands', () => {
    const value = 'a${B}c{env:D}';
    const found = variablesIn(value).map(({ range }) => value.slice(range.start, range.end));
    expect(found).toEqual(['${B}', '{env:D}']);
  });

  it('stays quick on a value of nothing but opening braces', () => {
    expect(variablesIn('${'.repeat(100_000))).toEqual([]);
  });
});

describe('what a launch reads', () => {
  it('lists variables, inputs and commands field by field', () => {
    const launch: McpServerLaunch = {
      kind: 'stdio',
      command: '${workspaceFolder}/run',
      args: ['--key', '${input:key}', '!not-a-command'],
      env: { A: '${HOME:-/}', B: '!pass show b', C: '!!literal' },
      inheritEnv: false,
    };
    expect(variablesOf(launch)).toEqual([
      { field: 'command', kind: 'place', name: 'workspaceFolder' },
      { field: 'args[1]', kind: 'input', name: 'key' },
      { field: 'env.A', kind: 'env', name: 'HOME' },
      { field: 'env.B', kind: 'command', name: 'pass show b' },
    ]);
  });

  it('counts the variable that holds a bearer token', () => {
    const launch: McpServerLaunch = {
      kind: 'http',
      url: 'https://a/${env:X}',
      transport: 'auto',
      headers: { H: '{env:Y}' },
      ignoreCertificateErrors: false,
      bearerTokenEnv: 'TOKEN',
    };
    expect(variablesOf(launch).map(({ field, name }) => `${field}=${name}`)).toEqual([
      'url=X',
      'headers.H=Y',
      'bearerTokenEnv=TOKEN',
    ]);
  });
});
