/** Fields of other programs without a counterpart here; kept when a file is edited. */
import * as l10n from '@vscode/l10n';
import { type ConfigField, field } from './field.js';

const descriptive = `name description title icon icons version label displayName display_name
  category tags keywords author vendor provider homepage website repository docs documentation license
  note notes comment comments metadata instructions gallery source`.split(/\s+/);

const unused = `dev sandbox sandboxEnabled env_vars env_http_headers toolExposure tasks searchMode
  searchKeywords caFile tools required supports_parallel_tool_calls`.split(/\s+/);

function foreign(names: readonly string[], describe: () => string): readonly ConfigField[] {
  return names.map((name) => field({ name, type: 'any', role: 'foreign', guide: { describe } }));
}

export const foreignFields: readonly ConfigField[] = [
  ...foreign(['autoApprove', 'alwaysAllow', 'trust', 'approveTools', 'samplingAutoApprove'], () =>
    l10n.t('Approval rule of another program. A file never approves tool calls here; you do.'),
  ),
  ...foreign(['timeout', 'startup_timeout_sec', 'tool_timeout_sec'], () =>
    l10n.t(
      'Timeout of another program, whose units differ. Use `startupTimeoutMs` and `requestTimeoutMs`.',
    ),
  ),
  ...foreign([...descriptive, ...unused], () =>
    l10n.t('Read by other programs and kept; it has no effect here.'),
  ).map((item) => ({ ...item, isDescriptive: descriptive.includes(item.name) })),
];
