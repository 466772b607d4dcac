import { describe, expect, it } from 'vitest';
import { EditableConfig } from '../../../../src/config/edit/editConfig.js';
import {
  readEntryText,
  removeEntryText,
  writeEntryText,
} from '../../../../src/config/edit/entryText.js';
import type { ConfigFileLocation } from '../../../../src/config/parse/configLocations.js';

const location: ConfigFileLocation = {
  layer: 'user',
  path: '/mcp.json',
  isForeignFile: false,
  isPrimary: true,
};
const open = (text: string) => new EditableConfig(text, location);

const source = `{
  // all of us
  "mcpServers": {
    "first": { "command": "a" },

    // reads the files
    /* of the team */
    "files": {
      // pinned
      "command": "node", // new
      "args": [
        "x.js"
      ],
      "env": { "KEY": "\${input:key}" }
    }, // since May
    "last": { "command": "z" }
  },
  "inputs": [
    { "id": "key", "type": "promptString", "password": true },
    { "id": "other", "type": "promptString" }
  ]
}
`;

describe('an entry that goes to another file', () => {
  it('takes its comments, its layout and its inputs along', () => {
    const entry = readEntryText(open(source), 'files');
    const target = '{\n\t"servers": {\n\t\t"mine": { "command": "m" }\n\t}\n}\n';
    expect(writeEntryText(open(target), 'shared', entry).text).toBe(`{
\t"servers": {
\t\t"mine": { "command": "m" },
\t\t// reads the files
\t\t/* of the team */
\t\t// since May
\t\t"shared": {
\t\t\t// pinned
\t\t\t"command": "node", // new
\t\t\t"args": [
\t\t\t\t"x.js"
\t\t\t],
\t\t\t"env": { "KEY": "\${input:key}" }
\t\t}
\t},
\t"inputs": [
\t\t{
\t\t\t"id": "key",
\t\t\t"type": "promptString",
\t\t\t"password": true
\t\t}
\t]
}
`);
  });

  it('leaves the rest of its file as it was', () => {
    expect(removeEntryText(open(source), 'files').text).toBe(`{
  // all of us
  "mcpServers": {
    "first": { "command": "a" },

    "last": { "command": "z" }
  },
  "inputs": [
    { "id": "key", "type": "promptString", "password": true },
    { "id": "other", "type": "promptString" }
  ]
}
`);
  });

  it.each(['\n', '\r\n'])('takes a comment of several lines along (%j)', (eol) => {
    const lines = (...all: readonly string[]) => all.join(eol);
    const text = lines(
      '{',
      '  "a": { "command": "a" }, /* of a,',
      '  in two lines */',
      '  /*',
      '   * of b',
      '  // and so on */',
      '  // again',
      '  "b": { "command": "b" }',
      '}',
    );
    const target = `{${eol}\t"servers": {}${eol}}`;
    expect(writeEntryText(open(target), 'b', readEntryText(open(text), 'b')).text).toBe(
      lines(
        '{',
        '\t"servers": {',
        '\t\t/*',
        '\t\t * of b',
        '\t\t// and so on */',
        '\t\t// again',
        '\t\t"b": { "command": "b" }',
        '\t}',
        '}',
      ),
    );
    expect(removeEntryText(open(text), 'b').text).toBe(
      lines('{', '  "a": { "command": "a" } /* of a,', '  in two lines */', '}'),
    );
  });

  it('leaves the entry above, and the comment at the end of its line', () => {
    const other = '{\n  "a": { "command": "a" }, /* of a */\n';
    const text = `${other}  "b": { "command": "b" },\n  "c": { "command": "c" }\n}\n`;
    expect(removeEntryText(open(text), 'b').text).toBe(`${other}  "c": { "command": "c" }\n}\n`);
  });

  it.each([
    ['a new file', ''],
    ['a file of one line', '{"mcpServers":{"mine":{"command":"m"}}}'],
    [
      'a file with commas at the ends',
      '{\n  "mcpServers": {\n    "mine": { "command": "m" },\n  },\n}\n',
    ],
    ['a file with CRLF', '{\r\n  "mcpServers": {}\r\n}\r\n'],
    ['a file with a byte order mark', '\uFEFF{ "mcpServers": {} }'],
    ['a bare map', '{ "mine": { "command": "m" } }'],
    ['a file of comments', '// nothing yet\n'],
  ])('says the same in %s', (_title, target) => {
    const entry = readEntryText(open(source), 'files');
    const written = writeEntryText(open(target), 'files', entry);
    expect(written.entry('files')?.raw).toEqual(open(source).entry('files')?.raw);
    expect(written.text).toContain('// reads the files');
    expect(written.text).not.toMatch(target.includes('\r\n') ? /[^\r]\n/ : /\r/);
    const names = open(target).parsed.entries.map(({ name }) => name);
    expect(written.parsed.entries.map(({ name }) => name)).toEqual([...names, 'files']);
  });

  it('comes back as it was, wherever it has been', () => {
    const away = writeEntryText(open(''), 'files', readEntryText(open(source), 'files'));
    const left = removeEntryText(open(source), 'files');
    const back = writeEntryText(left, 'files', readEntryText(away, 'files'));
    expect(readEntryText(back, 'files')).toEqual(readEntryText(away, 'files'));
    expect(back.entry('files')?.raw).toEqual(open(source).entry('files')?.raw);
  });

  it('keeps the declaration of an input that the other file has', () => {
    const target = '{ "mcpServers": {}, "inputs": [{ "id": "key", "description": "theirs" }] }';
    const written = writeEntryText(open(target), 'x', readEntryText(open(source), 'files'));
    expect(written.parsed.inputs).toMatchObject([{ id: 'key', description: 'theirs' }]);
  });
});
