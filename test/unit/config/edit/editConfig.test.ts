import { describe, expect, it } from 'vitest';
import { EditableConfig } from '../../../../src/config/edit/editConfig.js';
import type { ConfigFileLocation } from '../../../../src/config/parse/configLocations.js';
import { SeededRandom } from '../../../helpers/seededRandom.js';

const location: ConfigFileLocation = {
  layer: 'project',
  path: '/w/.mcp.json',
  isForeignFile: false,
  isPrimary: true,
};
const open = (text: string) => new EditableConfig(text, location);

describe('an edit', () => {
  it('changes a file of the user that is as long as it may be', () => {
    const notes = 'x'.repeat(2 * 1024 * 1024);
    const text = JSON.stringify({ mcpServers: { a: { command: 'a' } }, notes });
    const added = new EditableConfig(text, { ...location, layer: 'user' })
      .addServer('b', { command: 'b' })
      .changeServer('a', { cwd: '/x' })
      .changeSettings({ idleTimeout: 5 });
    const { mcpServers, settings } = JSON.parse(added.text);
    expect([mcpServers, settings]).toEqual([
      { a: { command: 'a', cwd: '/x' }, b: { command: 'b' } },
      { idleTimeout: 5 },
    ]);
    expect(JSON.parse(added.removeServer('a').text).mcpServers).toEqual({ b: { command: 'b' } });
  });

  it('adds a server to whatever shape the file has', () => {
    const entry = { command: 'x', enabled: true, args: [], lifecycle: 'lazy', env: { A: '1' } };
    const written = { command: 'x', env: { A: '1' } };
    const shapes: readonly (readonly [string, object])[] = [
      ['', { mcpServers: { n: written } }],
      ['{"servers":{}}', { servers: { n: written } }],
      [
        '{"mcp-servers":{"a":{"command":"a"}}}',
        { 'mcp-servers': { a: { command: 'a' }, n: written } },
      ],
      ['{"a":{"command":"a"}}', { a: { command: 'a' }, n: written }],
      ['{"disabled":true}', { disabled: true, mcpServers: { n: written } }],
    ];
    for (const [text, expected] of shapes) {
      expect(JSON.parse(open(text).addServer('n', entry).text)).toEqual(expected);
    }
  });

  it('switches a server off that has left the settings of Pi meanwhile', () => {
    const settings = new EditableConfig('{"theme":"dark"}', { ...location, isForeignFile: true });
    expect(JSON.parse(settings.switchServer('a', false).text)).toEqual({
      theme: 'dark',
      mcp: { a: { enabled: false } },
    });
  });

  it('changes single settings where they stand, and removes what is left empty', () => {
    const text = `{
  "truncation": { "maxChars": 5 }, // of pi-forge
  "settings": {
    "idleTimeout": 5, // minutes
    "mine": 1
  },
  "mcpServers": {}
}
`;
    const edited = open(text).changeSettings({
      idleTimeout: 7,
      toolPrefix: 'none',
      truncation: { maxChars: 6 },
    });
    expect(edited.text).toBe(
      text
        .replace('"idleTimeout": 5', '"idleTimeout": 7')
        .replace('"mine": 1', '"mine": 1,\n    "toolPrefix": "none"')
        .replace('"maxChars": 5', '"maxChars": 6'),
    );
    expect(edited.settings).toEqual({
      idleTimeout: 7,
      mine: 1,
      toolPrefix: 'none',
      truncation: { maxChars: 6 },
    });
    const twice = { truncation: { maxChars: 1 }, settings: { truncation: { maxChars: 2 } } };
    const changed = open(JSON.stringify(twice)).changeSettings({ truncation: { maxChars: 3 } });
    expect(JSON.parse(changed.text)).toEqual({
      ...twice,
      settings: { truncation: { maxChars: 3 } },
    });
    const one = open('{"settings":{"idleTimeout":5}}');
    expect(one.changeSettings({ idleTimeout: undefined }).text).toBe('{}');
    expect(JSON.parse(open('').changeSettings({ idleTimeout: 10 }).text)).toEqual({
      settings: { idleTimeout: 10 },
    });
    for (const other of ['{"settings":{"command":"x"}}', '{"settings":3,"mcpServers":{}}']) {
      expect(() => open(other).changeSettings({ idleTimeout: 1 })).toThrow('settings');
    }
  });

  it('keeps what a file could also set for all of its servers', () => {
    const text = open('{"mcpServers":{"a":{"command":"x"}}}');
    const { parsed } = text.changeServer('a', { idleTimeout: 10, debug: false });
    expect(parsed.entries[0]?.raw).toEqual({ command: 'x', idleTimeout: 10 });
  });

  it('keeps the byte order mark, line ends and comments', () => {
    const text =
      '\uFEFF{\r\n  // mine\r\n  "mcpServers": {\r\n    "a": { "command": "x" } // a\r\n  }\r\n}\r\n';
    expect(open(text).changeServer('a', { command: 'y' }, 'b').text).toBe(
      text.replace('"a"', '"b"').replace('"x"', '"y"'),
    );
  });

  it('removes defaults and nulls, keeps what it was not told and fields it does not know', () => {
    const text =
      '{"mcpServers":{"a":{"command":"x","args":["1"],"cwd":"/","custom":{"k":[1]},"debug":true}}}';
    const edited = open(text).changeServer('a', { args: undefined, cwd: null, debug: false });
    expect(JSON.parse(edited.text)).toEqual({
      mcpServers: { a: { command: 'x', custom: { k: [1] } } },
    });
  });

  it('removes the fields of the former kind', () => {
    const text =
      '{"mcpServers":{"a":{"type":"stdio","command":"x","args":["1"],"env":{"A":"1"},"lifecycle":"eager"}}}';
    const remote = open(text).changeServer('a', { url: 'https://a', headers: { X: '1' } });
    expect(JSON.parse(remote.text)).toEqual({
      mcpServers: { a: { lifecycle: 'eager', url: 'https://a', headers: { X: '1' } } },
    });
    expect(JSON.parse(remote.changeServer('a', { command: 'y' }).text)).toEqual({
      mcpServers: { a: { lifecycle: 'eager', command: 'y' } },
    });
  });

  it('edits a field under the alias that the file uses', () => {
    const text = '{"mcp":{"a":{"type":"local","command":["x"],"environment":{"A":"1"}}}}';
    expect(JSON.parse(open(text).changeServer('a', { env: { B: '2' } }).text).mcp.a).toEqual({
      type: 'local',
      command: ['x'],
      environment: { B: '2' },
    });
  });

  it('switches off with one property and on with none', () => {
    const text = '{"mcpServers":{"a":{"command":"x"},"o":{"enabled":false}}}';
    const off = open(text).setEnabled('a', false);
    expect(JSON.parse(off.text).mcpServers.a).toEqual({ command: 'x', enabled: false });
    expect(off.setEnabled('a', true).text).toBe(text);
    expect(JSON.parse(off.setEnabled('o', true).text).mcpServers).not.toHaveProperty('o');
  });

  it('flips the switch that stands there, which other clients may read', () => {
    const flips: readonly (readonly [string, string])[] = [
      ['{"disabled": false, "command": "x"}', '{"disabled": true, "command": "x"}'],
      ['{"command": "x", "disabled": false}', '{"command": "x", "disabled": true}'],
      ['{"enabled": true, "command": "x"}', '{"enabled": false, "command": "x"}'],
      [
        '{"enabled": true, "disabled": false, "command": "x"}',
        '{"enabled": true, "disabled": true, "command": "x"}',
      ],
    ];
    for (const [on, off] of flips) {
      const file = (entry: string) => `{"mcpServers": {"a": ${entry}}}`;
      expect(open(file(on)).setEnabled('a', false).text).toBe(file(off));
      expect(open(file(off)).setEnabled('a', true).text).toBe(file(on));
      expect(open(file(on)).changeServer('a', { enabled: false }).text).toBe(file(off));
      expect(open(file(off)).changeServer('a', { enabled: undefined }).text).toBe(file(on));
    }
  });

  it('switches off in the word of the entries beside it', () => {
    const text = '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y","disabled":true}}}';
    const off = open(text).setEnabled('a', false);
    expect(JSON.parse(off.text).mcpServers.a).toEqual({ command: 'x', disabled: true });
  });

  it('keeps a default that stands there', () => {
    const text = '{"mcpServers":{"a":{"command":"x","env":{},"args":[]}}}';
    expect(open(text).changeServer('a', { command: 'x', env: {}, args: [] }).text).toBe(text);
  });

  it('writes the automatic transport out where the type says another one', () => {
    const entryOf = ({ text }: { text: string }) => JSON.parse(text).mcpServers.a;
    const text = '{"mcpServers":{"a":{"type":"sse","url":"https://a"}}}';
    const automatic = { type: 'sse', url: 'https://a', transport: 'auto' };
    expect(entryOf(open(text).changeServer('a', { transport: 'auto' }))).toEqual(automatic);
    expect(entryOf(open('{}').addServer('a', automatic))).toEqual(automatic);
    const plain = text.replace('sse', 'http');
    expect(open(plain).changeServer('a', { transport: 'auto' }).text).toBe(plain);
  });

  it('sets the master switch, and takes it away unless a lower file is off', () => {
    const off = open('{"mcpServers":{}}').setMasterDisabled(true);
    expect(JSON.parse(off.text)).toEqual({ mcpServers: {}, disabled: true });
    expect(JSON.parse(off.setMasterDisabled(false).text)).toEqual({ mcpServers: {} });
    expect(JSON.parse(off.setMasterDisabled(false, true).text)).toHaveProperty('disabled', false);
  });
});

describe('an edit is refused', () => {
  const good = '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y"}}}';
  it.each([
    ['a syntax error', 'config_broken', () => open('{"mcpServers": {')],
    ['a root that is no object', 'config_broken', () => open('[]')],
    ['servers that are no object', 'config_broken', () => open('{"mcpServers": []}')],
    ['two blocks', 'config_broken', () => open('{"mcpServers": {}, "mcpServers": {}}')],
    [
      'a field written twice',
      'duplicate-field',
      () => open('{"mcpServers":{"a":{"command":"x","command":"y"}}}').changeServer('a', {}),
    ],
    ['a name that is taken', 'server_name_taken', () => open(good).addServer('a', {})],
    ['a new name that is taken', 'server_name_taken', () => open(good).changeServer('a', {}, 'b')],
    ['an empty name', 'server_name_empty', () => open(good).addServer(' ', {})],
    ['a server that is gone', 'server_unknown', () => open(good).removeServer('c')],
    [
      'a name declared twice',
      'duplicate-name',
      () => open('{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}').setEnabled('a', false),
    ],
  ])('for %s', (_label, code, edit) => {
    expect(edit).toThrow(expect.objectContaining({ code }));
  });
});

// #region properties

/** A document with comments, odd spacing and every shape of comma. */
function generateDocument(random: SeededRandom): string {
  const eol = random.pick(['\n', '\r\n']);
  const indent = random.pick(['  ', '\t', '    ']);
  const isShort = random.chance(4);
  const gap = (depth: number) => (isShort ? random.pick(['', ' ']) : eol + indent.repeat(depth));
  const comment = () =>
    random.chance(3)
      ? random.pick(isShort ? [' /* c */'] : [' // c', ' /* c */', ` /* two${eol}lines */`])
      : '';
  const closeLine = (text: string) => (text.includes('//') ? eol : '');
  const object = (members: readonly string[], depth: number) => {
    const body = members.map((member, index) => {
      const isLast = index === members.length - 1;
      const before = random.chance(5) ? '/* b */ ' : '';
      const after = comment();
      const comma = isLast ? (random.chance(4) ? ',' : '') : ',';
      return random.chance(2)
        ? `${gap(depth)}${before}${member}${comma}${after}${closeLine(after)}`
        : `${gap(depth)}${before}${member}${after}${closeLine(after)}${comma}`;
    });
    return `{${body.join('')}${gap(depth - 1)}}`;
  };
  const server = (name: string) => {
    const fields = [
      '"command": "x"',
      '"custom" : [1, /* one */ 2]',
      '"env":{"A":"1"}',
      '"enabled": false',
    ];
    const chosen = fields.filter((_field, index) => index === 0 || random.chance(2));
    return `"${name}": ${object(chosen, 3)}`;
  };
  const names = ['a', 'b', 'c', 'd'].slice(0, random.below(5));
  const servers = `"mcpServers": ${object(names.map(server), 2)}`;
  const others = random.chance(2) ? ['"settings": {"idleTimeout": 3}'] : [];
  const mark = random.chance(5) ? '\uFEFF' : '';
  return `${mark}${comment()}${eol}${object([...others, servers], 1)}${random.pick(['', eol])}`;
}

const comments = (text: string) => text.match(/\/\/ c|\/\* [\s\S]*?\*\//g)?.length ?? 0;

const meaning = (config: EditableConfig) =>
  Object.fromEntries(config.parsed.entries.map((entry) => [entry.name, { ...entry.raw }]));

describe('for many documents', () => {
  it('an edit means what it says, keeps every comment and every other server, and can be undone', () => {
    const random = new SeededRandom(20261121);
    for (let round = 0; round < 400; round++) {
      const text = generateDocument(random);
      const config = open(text);
      expect(config.parsed.problems, text).toEqual([]);
      const before = meaning(config);
      const entry = { command: 'new', args: ['-y', 'p"\\'], env: { K: 'v' } };
      const added = config.addServer('new', entry);
      expect(meaning(added), text).toEqual({ ...before, new: entry });
      const changed = added.changeServer('new', { env: { K2: 'w' }, cwd: '/' }, 'renamed');
      expect(meaning(changed), text).toEqual({
        ...before,
        renamed: { command: 'new', args: entry.args, env: { K2: 'w' }, cwd: '/' },
      });
      const removed = changed.removeServer('renamed');
      expect(meaning(removed), text).toEqual(before);
      expect(comments(removed.text), text).toBe(comments(text));
      for (const name of Object.keys(before)) {
        const without = removed.removeServer(name);
        const { [name]: _gone, ...rest } = before;
        expect(meaning(without), text).toEqual(rest);
        const off = removed.setEnabled(name, false);
        expect(meaning(off), text).toEqual({
          ...before,
          [name]: { ...before[name], enabled: false },
        });
        expect(comments(off.text), text).toBe(comments(text));
      }
    }
  });

  it('bytes outside of the changed value stay', () => {
    const random = new SeededRandom(7);
    for (let round = 0; round < 300; round++) {
      const text = generateDocument(random);
      const config = open(text);
      for (const { name } of config.parsed.entries) {
        const edited = config.changeServer(name, { command: 'CHANGED' }).text;
        const entry = config.entry(name);
        const offset = text.startsWith('\uFEFF') ? 1 : 0;
        const { start, end } = entry?.range ?? { start: 0, end: 0 };
        expect(edited.slice(0, start + offset)).toBe(text.slice(0, start + offset));
        expect(edited.slice(edited.length - (text.length - end - offset))).toBe(
          text.slice(end + offset),
        );
        expect(edited.replace('CHANGED', 'x')).toBe(text);
      }
    }
  });
});

// #endregion
