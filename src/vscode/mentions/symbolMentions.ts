/** Symbols of the workspace, as the language extensions know them. */
import * as vscode from 'vscode';
import { delay } from '../../base/async/cancellation.js';
import { HumanError } from '../../base/errors.js';
import { fuzzyText } from '../../base/text/fuzzy.js';
import { realPathInFolder } from '../../platform/folderPath.js';
import { lineRange } from './editorMentions.js';
import { type Mention, placedFile } from './mention.js';

/** Letters; for fewer, the extensions would list everything. */
const minQuery = 2;
/** Milliseconds that the menu waits for extensions; what comes later is there for the next letter. */
const patienceMs = 300;
const maxSymbols = 200;

/** Never rejects. */
export async function symbolMentions(query: string): Promise<readonly Mention[]> {
  if (query.length < minQuery || query.includes('/')) {
    return [];
  }
  const found = vscode.commands
    .executeCommand<vscode.SymbolInformation[] | undefined>(
      'vscode.executeWorkspaceSymbolProvider',
      query,
    )
    .then(
      (symbols) => symbols ?? [],
      () => [],
    );
  const symbols = await Promise.race([found, delay(patienceMs).then(() => [])]);
  return symbols.slice(0, maxSymbols).flatMap(symbolMention);
}

function symbolMention({ name, containerName, location }: vscode.SymbolInformation) {
  const place = placedFile(location.uri);
  if (!place) {
    return [];
  }
  const { from } = lineRange(location.range);
  const one: Mention = {
    kind: 'symbol',
    label: name,
    detail: [containerName, `${place.name}:${from}`].filter(Boolean).join(', '),
    word: name.replaceAll(/\s+/g, ''),
    search: fuzzyText(name),
    attach: async () => {
      // a link may lead out of the folder
      const real = await realPathInFolder(place.folder.uri.fsPath, location.uri.fsPath);
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(real));
      const range = (await wholeRange(name, location)) ?? location.range;
      const text = document.getText(lineByLine(document, range));
      if (text.trim() === '') {
        throw new HumanError('mention_gone', vscode.l10n.t('This is not there any more.'));
      }
      const lines = lineRange(range);
      return [{ kind: 'text', what: 'symbol', name, path: place.name, lines, text }];
    },
  };
  return [one];
}

/** Some extensions tell where the name is, and not the whole. */
async function wholeRange(
  name: string,
  { uri, range }: vscode.Location,
): Promise<vscode.Range | undefined> {
  const symbols = await vscode.commands.executeCommand<
    (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', uri);
  const inside = (symbols ?? []).flatMap(function all(
    one: vscode.DocumentSymbol | vscode.SymbolInformation,
  ): vscode.DocumentSymbol[] {
    return 'children' in one ? [one, ...one.children.flatMap(all)] : [];
  });
  return inside.find((one) => one.range.contains(range.start) && sameName(one.name, name))?.range;
}

/** Functions are listed with their parentheses. */
function sameName(a: string, b: string): boolean {
  return a.replace(/\(.*$/s, '') === b.replace(/\(.*$/s, '');
}

function lineByLine(document: vscode.TextDocument, { start, end }: vscode.Range): vscode.Range {
  return new vscode.Range(start.with({ character: 0 }), document.lineAt(end.line).range.end);
}
