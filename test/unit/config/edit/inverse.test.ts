import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditableConfig } from '../../../../src/config/edit/editConfig.js';
import { EditMemory } from '../../../../src/config/edit/editMemory.js';
import type { ConfigFileLocation } from '../../../../src/config/parse/configLocations.js';
import type { ParsedEntry } from '../../../../src/config/parse/configTypes.js';

const location: ConfigFileLocation = {
  layer: 'project',
  path: '/w/.mcp.json',
  isForeignFile: false,
  isPrimary: true,
};
const open = (text: string) => new EditableConfig(text, location);

type Edit = (config: EditableConfig) => EditableConfig;

interface EditPair {
  readonly label: string;
  readonly edit: Edit;
  readonly inverse: Edit;
  /** The text alone does not tell what stood there before: the editor has to remember. */
  readonly needsMemory: boolean;
}

const addition = { command: 'npx', args: ['-y', 'p@1.2.3'], env: { KEY: '${KEY}' } };

/** Every edit that this file allows, with the one that takes it back. */
function pairsFor(config: EditableConfig): readonly EditPair[] {
  const { entries, isMasterDisabled } = config.parsed;
  const settings = Object.keys(config.settings);
  return [
    {
      label: 'add a server',
      edit: (file) => file.addServer('new', addition),
      inverse: (file) => file.removeServer('new'),
      needsMemory: entries.length === 0,
    },
    {
      label: 'set a setting',
      edit: (file) => file.changeSettings({ idleTimeout: 77 }),
      inverse: (file) => file.changeSettings({ idleTimeout: config.settings.idleTimeout }),
      needsMemory: settings.length === 0,
    },
    ...(isMasterDisabled === undefined
      ? [
          {
            label: 'switch all off',
            edit: (file: EditableConfig) => file.setMasterDisabled(true),
            inverse: (file: EditableConfig) => file.setMasterDisabled(false),
            needsMemory: !/"\s*:/.test(config.text),
          },
        ]
      : []),
    ...entries.flatMap((entry) => pairsForEntry(entry)),
  ];
}

function pairsForEntry({ name, raw = {}, kind, enabled }: ParsedEntry): readonly EditPair[] {
  const change = (label: string, field: string, value: unknown, needsMemory = false): EditPair => ({
    label: `${label} of ${name}`,
    edit: (file) => file.changeServer(name, { [field]: value }),
    inverse: (file) => file.changeServer(name, { [field]: raw[field] }),
    needsMemory,
  });
  const args = Array.isArray(raw.args) ? raw.args : [];
  const env = typeof raw.env === 'object' && raw.env !== null ? raw.env : {};
  const switches = ['enabled', 'disabled'].filter((field) => Object.hasOwn(raw, field));
  return [
    {
      label: `rename ${name}`,
      edit: (file) => file.changeServer(name, {}, `${name} renamed`),
      inverse: (file) => file.changeServer(`${name} renamed`, {}, name),
      needsMemory: false,
    },
    {
      label: `remove ${name}`,
      edit: (file) => file.removeServer(name),
      inverse: (file) => file.addServer(name, raw),
      needsMemory: true,
    },
    {
      label: `switch ${name}`,
      edit: (file) => file.setEnabled(name, enabled === false),
      inverse: (file) =>
        file.entry(name)
          ? file.setEnabled(name, enabled !== false)
          : file.override(name, { enabled }),
      needsMemory: switches.join() !== 'disabled',
    },
    ...(kind === 'http' ? [change('change the address', 'url', 'https://other.example')] : []),
    ...(kind === 'stdio'
      ? [
          change('change the command', 'command', 'other', typeof raw.command !== 'string'),
          change('add a field', 'cwd', '/tmp'),
          change('add a variable', 'env', { ...env, NEW_ONE: 'x' }, Object.keys(env).length === 0),
          change('add the last argument', 'args', [...args, '--new'], args.length === 0),
        ]
      : []),
    ...args.flatMap((_item, index) => [
      change(`change argument ${index}`, 'args', args.with(index, '--new')),
      change(`add argument ${index}`, 'args', args.toSpliced(index, 0, '--new')),
      change(`drop argument ${index}`, 'args', args.toSpliced(index, 1), true),
    ]),
  ];
}

function expectInverse(text: string): void {
  const config = open(text);
  for (const { label, edit, inverse, needsMemory } of pairsFor(config)) {
    const edited = edit(config);
    const about = `${label} in ${JSON.stringify(text)}: ${JSON.stringify(edited.text)}`;
    expect(edited.text, about).not.toBe(text);
    if (!needsMemory) {
      expect(inverse(edited).text, about).toBe(text);
    }
    const memory = new EditMemory();
    memory.remember(memory.stepOf(config, edited, false));
    expect(memory.stepOf(edited, inverse(edited), false).text, about).toBe(text);
  }
}

const written: readonly (readonly [string, string])[] = [
  ['an empty object', '{}'],
  ['an empty object with blanks', '{ \n\n }\n'],
  ['no server yet', '{\n  "mcpServers": {}\n}\n'],
  ['no server yet, on lines', '{\n  "mcpServers": {\n  }\n}'],
  ['a comment alone', '{\n  "mcpServers": {\n    // put servers here\n  }\n}\n'],
  ['a block comment alone', '{ "mcpServers": { /* none */ } }'],
  ['other properties alone', '{ "$schema": "https://example.com/s.json" }'],
  ['one line', '{"mcpServers":{"a":{"command":"x","args":["-y","p"],"env":{}}}}'],
  ['loose blanks', '{ "mcpServers" : { "a" : { "command" : "x" , "args" : [ "-y" , "p" ] } } }'],
  ['a trailing comma on a line', '{"mcpServers":{"a":{"command":"x","args":["p",],},},}'],
  [
    'comments everywhere',
    `// of the file
{
  /* servers */ "mcpServers": {
    // the first
    "a": {
      "command": "npx", // runs
      "args": [
        "-y", // yes
        /* what */ "pkg@1.0.0",
        // and where
        "--root", "/tmp" // two on a line
      ], // args end
      "env": {
        "A": "1" // one
        /* more */
      },
    }, // of a
    "b": { "url": "https://b.example/mcp", "disabled": false } // of b
    // the end
  },
  "settings": { "idleTimeout": 3 }
}
// behind
`,
  ],
  [
    'tabs and CRLF',
    '\uFEFF{\r\n\t"mcpServers": {\r\n\t\t"a": {\r\n\t\t\t"command": "x",\r\n\t\t\t"args": [\r\n\t\t\t\t"-y",\r\n\t\t\t\t"p"\r\n\t\t\t]\r\n\t\t}\r\n\t}\r\n}\r\n',
  ],
  [
    'blanks at the ends of lines',
    '{  \n  "mcpServers": {  \n    "a": {  \n      "command": "x",   \n      "args": ["p"]  \t\n    }   \n  }\n}  \n',
  ],
  ['a brace behind the last line', '{\n  "mcpServers": {\n    "a": { "command": "x" } } }'],
  [
    'a comment in front of that brace',
    '{\n  "mcpServers": {\n    "a": { "command": "x",\n      "args": [ "p" /* c */ ] } /* d */ }}',
  ],
  [
    'commas in front',
    '{ "mcpServers":\n  { "a": { "command": "x"\n    , "args": ["p"\n, "q"] }\n  }\n}',
  ],
  [
    'switches of both kinds',
    '{"servers": {"a": {"disabled": true, "command": "x"}, "b": {"command": "y", "enabled": false}, "o": {"enabled": false}}}',
  ],
  [
    'inputs in front',
    '{\n  "inputs": [\n    { "id": "k", "type": "promptString" }, // key\n  ],\n  "servers": {\n    "a": {\n      "type": "http",\n      "url": "https://a.example",\n      "headers": { "Authorization": "Bearer ${input:k}" }\n    },\n  },\n}',
  ],
  ['a bare map', '{\n  "a": {\n    "command": "x"\n  }\n}\n'],
  [
    'the block of opencode',
    '{\n  "mcp": {\n    "a": {\n      "type": "local",\n      "command": ["npx", "-y", "p"],\n      "enabled": true\n    }\n  }\n}\n',
  ],
  ['an argument that comes twice', '{"mcpServers":{"a":{"command":"x","args":["v","v", "v"]}}}'],
];

describe('an edit and its inverse give the same bytes', () => {
  it.each(written)('in a file with %s', (_label, text) => {
    expectInverse(text);
  });

  it('in many generated files', () => {
    fc.assert(
      fc.property(fc.gen(), (gen) => {
        expectInverse(generateText(gen));
      }),
      { numRuns: 60 },
    );
  });
});

describe('the memory of edits', () => {
  const empty = open('{ }');

  it('gives back several edits, one after the other', () => {
    const memory = new EditMemory();
    const texts = [empty];
    for (const name of ['a', 'b', 'c']) {
      const [last = empty] = texts.slice(-1);
      const step = memory.stepOf(last, last.addServer(name, { command: name }), false);
      memory.remember(step);
      texts.push(open(step.text));
    }
    for (const name of ['c', 'b', 'a']) {
      const [last = empty] = texts.splice(-1);
      const step = memory.stepOf(last, last.removeServer(name), false);
      memory.remember(step);
      expect(step.text).toBe(texts.at(-1)?.text);
    }
  });

  it('knows nothing of a file that somebody else wrote in between', () => {
    const memory = new EditMemory();
    const added = empty.addServer('a', { command: 'x' });
    memory.remember(memory.stepOf(empty, added, false));
    const touched = open(`${added.text}\n`);
    const { text } = memory.stepOf(touched, touched.removeServer('a'), false);
    expect(text).toBe(touched.removeServer('a').text);
  });

  it('does not empty a file that was not there', () => {
    const memory = new EditMemory();
    const added = open('').addServer('a', { command: 'x' });
    memory.remember(memory.stepOf(open(''), added, true));
    expect(JSON.parse(memory.stepOf(added, added.removeServer('a'), false).text)).toEqual({
      mcpServers: {},
    });
  });
});

/** A file with servers of any shape, in any layout that JSON with comments allows. */
function generateText(gen: fc.GeneratorValue): string {
  const pick = <T>(...items: readonly [T, ...T[]]): T => gen(fc.constantFrom<T[]>, ...items);
  const isOneIn = (count: number) => gen(fc.nat, { max: count - 1 }) === 0;
  const eol = pick('\n', '\r\n');
  const unit = pick('  ', '\t', '    ');
  const isShort = isOneIn(3);
  const colon = pick(': ', ':', ' : ');
  const comment = () =>
    isOneIn(4) ? pick(' /* c */', ...(isShort ? [] : [' // c', ` /* two${eol}lines */`])) : '';
  const bracketed = (brackets: string, members: readonly string[], depth: number) => {
    const isOnLines = !isShort && !isOneIn(3);
    const gap = (level: number) =>
      isOnLines ? pick('', '', '  ') + eol + unit.repeat(level) : pick('', ' ');
    const body = members.map((member, index) => {
      const comma = index < members.length - 1 || isOneIn(4) ? ',' : '';
      const after = comment();
      const close = after.includes('//') ? eol : '';
      const text = pick(`${member}${comma}${after}${close}`, `${member}${after}${close}${comma}`);
      return `${gap(depth)}${isOneIn(6) ? '/* b */ ' : ''}${text}`;
    });
    const end = members.length > 0 || isOneIn(2) ? gap(depth - 1) : '';
    return `${brackets[0]}${body.join('')}${end}${brackets[1]}`;
  };
  const property = (name: string, value: string) => `${JSON.stringify(name)}${colon}${value}`;
  const some = (...members: readonly string[]) => members.filter(() => isOneIn(2));
  const strings = (depth: number) =>
    bracketed('[]', some('"-y"', '"p@1"', '"-y"', '"--root"', '"a, b"'), depth);
  const server = () =>
    bracketed(
      '{}',
      [
        property('command', '"x"'),
        ...some(
          property('disabled', pick('true', 'false')),
          property('args', strings(4)),
          property('env', bracketed('{}', some(property('A', '"1"'), property('B', '"2"')), 4)),
          property('custom', '[1, /* one */ 2]'),
          property('enabled', pick('true', 'false')),
        ),
      ],
      3,
    );
  const servers = bracketed(
    '{}',
    some('a', 'b', 'c').map((name) => property(name, server())),
    2,
  );
  const block = pick('mcpServers', 'servers', 'mcp-servers');
  const members = [
    ...some(property('settings', '{"idleTimeout": 3}')),
    ...(isOneIn(6) ? [] : [property(block, servers)]),
    ...some(property('inputs', '[ { "id": "k" }, ]')),
  ];
  const mark = isOneIn(5) ? '\uFEFF' : '';
  return `${mark}${isOneIn(5) ? `// c${eol}` : ''}${bracketed('{}', members, 1)}${pick('', eol)}`;
}
