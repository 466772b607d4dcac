import * as l10n from '@vscode/l10n';
import { type FieldGuides, inGroup } from '../guide.js';

/** Of the top-level `settings` of a file. */
export const settingGuides: FieldGuides = inGroup('tools', {
  'truncation.enabled': {
    label: () => l10n.t('Shorten long results'),
    describe: () => l10n.t('Whether results are shortened for the model at all.'),
  },
  'truncation.maxChars': {
    label: () => l10n.t('Longest result (characters)'),
    describe: () => l10n.t('Characters of a result that the model gets at most.'),
  },
  truncation: {
    label: () => l10n.t('Long results'),
    describe: () =>
      l10n.t('How much text of a tool result the model gets; the whole text can always be opened.'),
  },
  toonEncode: {
    label: () => l10n.t('Results as TOON'),
    describe: () => l10n.t('`true` or the names of the servers whose results are written as TOON.'),
    formHelp: () => l10n.t('Servers whose results are written as TOON.'),
  },
  'captureStats.path': { describe: () => l10n.t('File that the numbers are kept in.') },
  'captureStats.flushDelayMs': {
    describe: () => l10n.t('Milliseconds until new numbers are written.'),
  },
  captureStats: {
    label: () => l10n.t('Count calls'),
    describe: () => l10n.t('Whether calls are counted.'),
  },
  disableProxyTool: {
    label: () => l10n.t('Without the tool for other tools'),
    describe: () => l10n.t('Whether the `mcp` tool is left out.'),
  },
  approveTools: {
    label: () => l10n.t('Tools that ask before they run'),
    describe: () => l10n.t('`true` or patterns of the tools that ask before they run.'),
    formHelp: () => l10n.t('Tools that ask before they run.'),
  },
  profiles: {
    label: () => l10n.t('Profiles'),
    describe: () =>
      l10n.t(
        'Named sets of tools to choose from: lists of patterns such as `"github"`, `"github/get_*"` and `"!github/delete_*"`, the last one that fits decides; or objects with `tools` and `readOnly`.',
      ),
  },
  'settings.directTools': {
    label: () => l10n.t('Tools that are always active'),
    describe: () => l10n.t('Whether tools are always active: `true`, `false` or `"search"`.'),
    formHelp: () => l10n.t('Tools that the agent sees without searching for them.'),
    choices: () => ({
      true: l10n.t('All of them'),
      search: l10n.t('Those that a search found'),
      false: l10n.t('None of them'),
    }),
  },
});
