import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';

/** Pi's oldest Node that was seen to work. */
const oldest = { major: 22, minor: 15 };

/** What to tell the user when this Node is too old for Pi, else `undefined`. */
export function piNeedsNewerNode(version: string): HumanError | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isEnough = major > oldest.major || (major === oldest.major && minor >= oldest.minor);
  return isEnough
    ? undefined
    : new HumanError(
        'node_too_old',
        l10n.t(
          'Pi needs Node.js {0}; this editor runs extensions with Node.js {1}.',
          `${oldest.major}.${oldest.minor}`,
          version,
        ),
        { remedy: l10n.t('Update the editor to a current version.') },
      );
}
