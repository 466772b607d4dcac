/** Parsers refuse or accept; they never fail, whatever they are fed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../../src/cli/arguments.js';
import { parseTemplate, variablesOf } from '../../../src/config/launch/variables.js';
import { parseCodexConfig } from '../../../src/config/parse/codex.js';
import type { ParsedConfigFile } from '../../../src/config/parse/configTypes.js';
import { mergeConfig } from '../../../src/config/parse/mergeConfig.js';
import { parseConfig } from '../../../src/config/parse/parseConfig.js';
import { parsePastedServers } from '../../../src/config/paste/pastedServers.js';
import { shellWords } from '../../../src/config/paste/shellWords.js';
import { replaceSecrets } from '../../../src/config/secrets/findSecrets.js';
import { findTokens } from '../../../src/config/secrets/findTokens.js';
import { redactedSentinel } from '../../../src/config/secrets/sentinel.js';
import { matchesTool } from '../../../src/mcp/catalog/toolGlob.js';
import { plainToolNames } from '../../../src/mcp/catalog/toolNames.js';
import { holds, hostileText, seed } from '../../helpers/fuzz.js';
import { parsers } from '../../helpers/parsers/parsers.js';

const options = { path: '/w/.mcp.json', layer: 'project' } as const;
const folder = { uri: 'file:///w', name: 'w', fsPath: '/w' };

/** What everything that reads a parsed file relies on. */
function expectSound(file: ParsedConfigFile, length: number): void {
  const names = file.entries.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { kind, launch, problems, range } of file.entries) {
    expect(launch !== undefined).toBe(kind === 'stdio' || kind === 'http');
    expect(problems.some(({ severity }) => severity === 'error')).toBe(kind === 'invalid');
    expect([range.start >= 0, range.start <= range.end, range.end <= length]).toEqual([
      true,
      true,
      true,
    ]);
    if (launch) {
      variablesOf(launch);
    }
  }
  const { definitions } = mergeConfig([file], { poolId: folder.uri, folder });
  expect(new Set(definitions.map(({ id }) => id)).size).toBe(definitions.length);
  expect(JSON.parse(JSON.stringify(definitions))).toHaveLength(definitions.length);
}

const fieldName = fc.constantFrom(
  ...['command', 'args', 'env', 'cwd', 'url', 'headers', 'type', 'enabled', 'disabled', 'oauth'],
  ...['lifecycle', 'idleTimeout', 'toolPrefix', 'directTools', 'bearerToken', 'auth', '__proto__'],
);
const anyValue = fc.oneof(
  hostileText,
  fc.array(hostileText, { maxLength: 3 }),
  fc.dictionary(hostileText, hostileText, { maxKeys: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    'stdio',
    'http',
    'sse',
    'eager',
    'lazy',
    'https://h/mcp',
    'node',
    true,
    false,
    -1,
  ),
);
const entry = fc
  .array(fc.tuple(fieldName, anyValue), { maxLength: 6 })
  .map((fields) => Object.fromEntries(fields));
const configuration = fc.record(
  {
    mcpServers: fc.dictionary(hostileText, fc.oneof(entry, anyValue), { maxKeys: 4 }),
    servers: fc.dictionary(hostileText, entry, { maxKeys: 2 }),
    mcp: anyValue,
    settings: fc.oneof(anyValue, fc.dictionary(hostileText, anyValue, { maxKeys: 3 })),
    imports: anyValue,
    inputs: fc.oneof(anyValue, fc.array(fc.dictionary(fc.constantFrom('id', 'default'), anyValue))),
    disabled: anyValue,
  },
  { requiredKeys: [] },
);

describe(`fuzzing with seed ${seed}`, () => {
  it.each(parsers)('$name refuses or accepts', ({ run }) => {
    holds(
      fc.property(hostileText, (text) => {
        run(text);
      }),
    );
  });

  it('finds a parser that fails', () => {
    for (const fails of [encodeURIComponent, JSON.parse, (text: string) => new RegExp(text, 'u')]) {
      const property = fc.property(hostileText, (text) => {
        fails(text);
      });
      expect(() => holds(property)).toThrow(/seed/);
    }
  });

  it('reads configurations soundly', () => {
    holds(
      fc.property(configuration, (content) => {
        const text = JSON.stringify(content);
        expectSound(parseConfig(text, options), text.length);
      }),
    );
  });

  it('reads damaged configurations soundly', () => {
    const damage = fc.tuple(configuration, fc.nat(), fc.nat({ max: 10 }), hostileText);
    holds(
      fc.property(damage, ([content, at, removed, added]) => {
        const good = JSON.stringify(content, undefined, 2);
        const cut = at % (good.length + 1);
        const text = good.slice(0, cut) + added + good.slice(cut + removed);
        expectSound(parseConfig(text, options), text.length);
      }),
    );
  });

  it('reads the configuration of Codex soundly', () => {
    const line = fc.oneof(
      hostileText,
      hostileText.map((name) => `[mcp_servers.${JSON.stringify(name)}]`),
      hostileText.map((name) => `[mcp_servers.'${name.replace(/['\n\r]/g, '')}']`),
      fc.tuple(fieldName, anyValue).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
      fc.constantFrom('env_vars = ["A"]', 'env_http_headers = {A = "B"}', 'tool_timeout_sec = 1e9'),
    );
    const lines = fc.array(line, { maxLength: 10 }).map((parts) => parts.join('\n'));
    holds(
      fc.property(lines, (text) => {
        expectSound(parseCodexConfig(text, { ...options, layer: 'import' }), text.length);
      }),
    );
  });

  it('takes from the clipboard only what can be written', () => {
    const words = fc.array(
      fc.oneof(hostileText, fc.constantFrom('npx', 'claude', 'mcp', 'add', '--')),
    );
    const copied = fc.oneof(
      hostileText,
      configuration.map((content) => JSON.stringify(content)),
      words.map((parts) => parts.join(' ')),
      words.map((parts) => `claude mcp add ${parts.join(' ')}`),
    );
    holds(
      fc.property(copied, (text) => {
        for (const { name, entry: written } of serversOrNothing(text)) {
          expect(typeof name).toBe('string');
          expect(JSON.parse(JSON.stringify(written))).toBeTypeOf('object');
        }
      }),
    );
  });

  it('finds every character of a value in one part of it', () => {
    holds(
      fc.property(hostileText, (value) => {
        const parts = parseTemplate(value).map((part) =>
          part.kind === 'text' ? part.text : value.slice(part.range.start, part.range.end),
        );
        expect(parts.join('')).toBe(value);
      }),
    );
  });

  it('reads back the words that were quoted for a shell', () => {
    holds(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 5 }), (words) => {
        // a line that goes on is joined before anything else is looked at
        const plain = words.map((word) => word.replace(/\\\r?\n/g, ''));
        const line = plain.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
        expect(shellWords(line)).toEqual(plain);
      }),
    );
  });

  it('reads command lines of our own program, or says how they go', () => {
    const argument = fc.oneof(
      hostileText,
      fc.constantFrom(
        'list',
        'probe',
        'call',
        'search',
        '--json',
        '--timeout',
        '--folder',
        '-h',
        '--',
      ),
    );
    holds(
      fc.property(fc.array(argument, { maxLength: 6 }), (argv) => {
        try {
          expect(parseArguments(argv, '/w').command.kind).toBeTypeOf('string');
        } catch (error) {
          expect(error).toMatchObject({ name: 'HumanError', code: 'usage' });
        }
      }),
    );
  });
});

describe(`linear scanners say what the expressions before them said, with seed ${seed}`, () => {
  it('about the names of tools', () => {
    const letters = fc.array(fc.constantFrom('*', 's', 'T', '/', '.', '__'), { maxLength: 8 });
    holds(
      fc.property(letters, letters, (pattern, name) => {
        const source = pattern
          .map((part) => (part === '*' ? '.*' : part.replace(/[./]/g, '\\$&')))
          .join('');
        const tool = { name: name.join(''), server: 's', tool: 't' };
        const names = ['s/t', tool.name, ...plainToolNames('s', 't')];
        const expected = names.some((text) => new RegExp(`^${source}$`, 'i').test(text));
        expect(matchesTool(pattern.join(''), tool)).toBe(expected);
      }),
    );
  });

  it('about web tokens', () => {
    const part = fc.constantFrom('eyJ', 'eyJaaaaaaaaaa', 'bbbbbbbbbbbb', '.', '-', ' ', 'c', '_');
    const text = fc.array(part, { maxLength: 16 }).map((parts) => parts.join(''));
    holds(
      fc.property(text, (written) => {
        const expected = written.replace(/\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g, redactedSentinel);
        expect(replaceSecrets(written, findTokens(written))).toBe(expected);
      }),
    );
  });
});

function serversOrNothing(text: string) {
  try {
    return parsePastedServers(text);
  } catch (error) {
    expect(error).toMatchObject({ name: 'HumanError', remedy: expect.any(String) });
    return [];
  }
}
