/** What a server offers otherwise than before, for whoever is about to let it. Texts are the server's. */
import * as l10n from '@vscode/l10n';
import { nameToken } from '../../base/text/nameToken.js';
import { showText } from '../../base/text/showText.js';
import {
  definitionsOf,
  pinKey,
  settleDefinitions,
  toPins,
} from '../../mcp/catalog/definitions/settleDefinitions.js';
import { findTool } from '../../mcp/catalog/findTool.js';
import type { McpCatalog } from '../../mcp/mcpTypes.js';
import { definitionLines } from '../../mcp/trust/definitionLines.js';
import { changedText } from '../../mcp/trust/descriptionLines.js';
import type { ServerFact } from '../../protocol/server/serverProtocol.js';

/** More nobody reads on a page. */
const maxShown = 200;

/** @param before as it is used, so that what an entry says of tools is looked past */
export function catalogChanges(before: McpCatalog, after: McpCatalog): readonly ServerFact[] {
  const { replaced = [] } = before;
  const tools = before.tools.map((tool) => findTool(replaced, tool.name) ?? tool);
  const known = toPins(definitionsOf({ ...before, tools }));
  const now = toPins(definitionsOf(after));
  const { changes = [] } = settleDefinitions(after, known, 'hold');
  const fact = (label: string, name: string, lines: readonly string[]): ServerFact => ({
    label,
    text: [name === '' ? l10n.t('Instructions') : nameToken(name), ...lines].join('\n'),
  });
  const facts = [
    ...changes.map((change) =>
      fact(
        change.before ? l10n.t('changed') : l10n.t('new'),
        change.name,
        definitionLines(change).map((line) => showText(changedText(line))),
      ),
    ),
    ...[...known.values()]
      .filter((one) => !now.has(pinKey(one)))
      .map(({ name }) => fact(l10n.t('gone'), name, [])),
  ];
  const nothing = { label: l10n.t('Tools'), text: l10n.t('The same as now') };
  return facts.length > 0 ? facts.slice(0, maxShown) : [nothing];
}
