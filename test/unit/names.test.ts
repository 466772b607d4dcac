/**
 * What others named (servers, tools, clients, models, profiles) stands in our sentences as one token at their end; where
 * more follows, in quotation marks of ours that it cannot hold.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { textCalls, textCallsIn } from '../helpers/textCalls.js';

/** Makes a token of a name, or holds nothing else. */
const makesToken =
  /\b(?:nameToken|quotedName|serverName|nameInWindow)\(|^names?\(|\.map\((?:nameToken|quotedName)\)/;
/** In quotation marks when it is more than one plain word. */
const makesQuoted = /\bquotedName\(/;

/** A text speaks of something that others named, and of which this placeholder is the name. */
const named =
  /\b(?:servers?|tools?|app|model|models|client|profile|prompt|provider)\b(?: (?:of|is|for|with|from|in|name))*[: ]+["“„]?\{(\d)\}|\{(\d)\} · \{\d\}$|· \{(\d)\}$/gi;

/** An argument that holds such a name, by how it is called. */
const holdsName =
  /(?:^|\.|\()(?:serverName|server|tool|client|modelName|vendorName|mcp\.tool|mcp\.server|definition\.name|server\.name|tool\.name|entry\.name|reader\.server|this\.server|client\.name|model\.name)\)?$/;

/** File → argument → why it is no name of others, or is one token already. */
const known: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'webview/agent/calls/callWordsView.ts': { name: 'an element of the page, apart from the words' },
  'vscode/prompts/trustPicker.ts': { 'records.length': 'a count' },
  'vscode/gateway/gatewayStatusItem.ts': { names: 'folders of the window' },
  'vscode/commands/serverCommands.ts': { name: 'made by serverName' },
  'vscode/prompts/authorizationPrompter.ts': { 'name(userCode)': 'a code' },
  'presentation/consent/trustRecordText.ts': { names: 'tokens in quotation marks' },
  'vscode/consent/consentPanel.ts': { 'folder.name': 'a folder of the window' },
  'vscode/commands/configuration/importCommands.ts': {
    "sources.map((source) => importLabels[source]).join(', ')": 'labels of ours',
  },
  'presentation/tree/presentation.ts': { 'tools.length': 'a count' },
  'presentation/statusBar/statusSummary.ts': { connected: 'a count' },
  'presentation/start/startView.ts': { ready: 'a count' },
  'presentation/consent/consentText.ts': { what: 'a kind, and its name in quotation marks' },
  'presentation/inspector/replayQuestion.ts': { serverName: 'made by nameInWindow' },
  'mcp/connection/connectionErrors.ts': { message: 'a message, behind a colon' },
  'config/parse/parseEntry.ts': {
    'JSON.stringify(reader.server)': 'half of a character is seen in JSON alone',
  },
  'cli/gateway.ts': { manageToken: 'made by us' },
  'agent/tools/bridgedTool.ts': { 'this.name': 'made by us: letters, digits and low lines' },
  'agent/models/models.ts': { path: 'a file of the user' },
};

const calls = textCalls();
const isKnown = (file: string, argument: string) => known[file]?.[argument] !== undefined;

function namesIn({ text, args }: { readonly text: string; readonly args: readonly string[] }) {
  const byWords = [...text.matchAll(named)].map(([, a, b, c]) => Number(a ?? b ?? c));
  const byArgument = args.flatMap((argument, index) =>
    holdsName.test(argument) || makesToken.test(argument) ? [index] : [],
  );
  return [...new Set([...byWords, ...byArgument])].filter((index) => args[index] !== undefined);
}

/** Nothing of ours stands behind the placeholder. */
const isLast = (text: string, index: number) =>
  new RegExp(`\\{${index}\\}["”“)…]*$`, 'u').test(text);
const isInQuotes = (text: string, index: number) =>
  new RegExp(`["“„]\\{${index}\\}["”“]`, 'u').test(text);

describe('names of others in our sentences', () => {
  it('are tokens', () => {
    const raw = calls.flatMap((call) =>
      namesIn(call)
        .map((index) => call.args[index] ?? '')
        .filter((argument) => !makesToken.test(argument) && !isKnown(call.file, argument))
        .map((argument) => `${call.file}: ${argument} in ${call.text}`),
    );
    expect(raw).toEqual([]);
  });

  it.each(['l10n/bundle.l10n.json', 'l10n/bundle.l10n.de.json'])(
    'stand at their end, or in quotation marks (%s)',
    (bundle) => {
      const words: Readonly<Record<string, string>> = JSON.parse(readFileSync(bundle, 'utf8'));
      const loose = calls.flatMap((call) =>
        namesIn(call)
          .filter((index) => !isKnown(call.file, call.args[index] ?? ''))
          .filter((index) => !makesQuoted.test(call.args[index] ?? ''))
          .map((index) => ({ index, text: words[call.text] ?? call.text }))
          .filter(({ index, text }) => !isLast(text, index) && !isInQuotes(text, index))
          .map(({ text }) => `${call.file}: ${text}`),
      );
      expect(loose).toEqual([]);
    },
  );

  it('are looked for where they are', () => {
    expect(calls.length).toBeGreaterThan(900);
    expect(calls.filter((call) => namesIn(call).length > 0).length).toBeGreaterThan(150);
  });

  it('excuses nothing that is not there', () => {
    const gone = Object.entries(known).flatMap(([file, args]) =>
      Object.keys(args).filter(
        (argument) =>
          !calls.some(
            (call) =>
              call.file === file && namesIn(call).some((index) => call.args[index] === argument),
          ),
      ),
    );
    expect(gone).toEqual([]);
  });

  it('would be noticed', () => {
    const [raw, loose, quoted] = textCallsIn(
      "l10n.t('Run this tool? {0}', tool); vscode.l10n.t(\n'Server {0} fails', nameToken(a.name),\n); l10n.t('Server {0} fails', quotedName(x))",
    );
    expect(raw && namesIn(raw)).toEqual([0]);
    expect(raw && makesToken.test(raw.args[0] ?? '')).toBe(false);
    expect(loose && isLast(loose.text, 0)).toBe(false);
    expect(quoted && makesQuoted.test(quoted.args[0] ?? '')).toBe(true);
  });
});
