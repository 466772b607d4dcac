import * as l10n from '@vscode/l10n';
import { showText } from '../../base/text/showText.js';
import type { McpPool } from '../../mcp/mcpApi.js';
import { launchLines } from '../../mcp/trust/launchLines.js';

/** Everything that the named servers do now; nothing of it is cut. */
export function changesText({ servers }: McpPool, names: readonly string[]): string {
  return servers
    .filter(({ definition }) => names.includes(definition.name))
    .map(({ definition: { name, launch, origin } }) =>
      [
        `${showText(name)}:`,
        ...(launch ? launchLines(launch) : []).map(({ label, text }) =>
          l10n.t('{0}: {1}', label, text),
        ),
        l10n.t('from: {0}', showText(origin.path)),
      ].join('\n'),
    )
    .join('\n\n');
}
