import * as l10n from '@vscode/l10n';
import { type FieldGuides, inGroup } from '../guide.js';

/** Of the top-level `settings` of a file. */
export const settingGuides: FieldGuides = inGroup('tools', {
  'truncation.enabled': {
    label: () => l10n.t('Shorten long results'),
  },
  'truncation.maxChars': {
    label: () => l10n.t('Longest result (characters)'),
  },
  truncation: {
    label: () => l10n.t('Shorten long results'),
  },
  toonEncode: {
    label: () => l10n.t('Results as TOON'),
  },
  'captureStats.path': {
    label: () => l10n.t('File that the numbers are kept in'),
  },
  'captureStats.flushDelayMs': {
    label: () => l10n.t('Milliseconds until new numbers are written'),
  },
  captureStats: {
    label: () => l10n.t('Count calls'),
  },
  disableProxyTool: {
    label: () => l10n.t('Without the tool "mcp"'),
  },
  approveTools: {
    label: () => l10n.t('Tools that ask before they run'),
  },
  profiles: {
    label: () => l10n.t('Profiles'),
    describe: () =>
      l10n.t(
        'Named sets of tools: lists of patterns such as `"github"`, `"github/get_*"` and `"!github/delete_*"`, the last one that fits decides; or objects with `tools` and `readOnly`.',
      ),
  },
  'settings.directTools': {
    label: () => l10n.t('Tools that are always active'),
    choices: () => ({
      true: l10n.t('All'),
      search: l10n.t('Found by search'),
      false: l10n.t('None'),
    }),
  },
});
