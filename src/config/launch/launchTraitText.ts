import * as l10n from '@vscode/l10n';
import { showText } from '../../base/text/showText.js';
import type { LaunchTrait } from './launchTraits.js';

/** A clause that completes "the server …". @param words what of the launch is not plain. */
export function traitText(trait: LaunchTrait, words: readonly string[] = []): string {
  switch (trait) {
    case 'reads_environment':
      return l10n.t('it reads environment variables or secrets');
    case 'runs_command':
      return l10n.t('it runs a command to get a secret');
    case 'runs_other_code':
      return words.length === 0
        ? l10n.t('it may run other code')
        : l10n.t('it may run other code: {0}', words.map(showText).join(', '));
    case 'skips_tls':
      return l10n.t('it switches certificate verification off');
    case 'skips_issuer_check':
      return l10n.t('it does not check who issues its sign-in');
    case 'uses_places':
      return l10n.t('it sends places of your machine');
    case 'reaches_inner':
      return l10n.t('it reaches addresses of your own machine or network');
    case 'brings_oauth':
      return l10n.t('it brings its own sign-in');
    case 'shadows_global':
      return l10n.t('it has the name of a User server');
  }
}
