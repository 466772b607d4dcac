import * as l10n from '@vscode/l10n';
import { HumanError } from '../../../base/errors.js';
import { quotedName } from '../../../base/text/nameToken.js';
import type { McpServer } from '../../mcpApi.js';
import { heldDefinitions } from '../../stateKinds.js';

/** @throws {HumanError} for a tool that is kept back until its new definition is accepted. */
export function assertNotHeld(server: Pick<McpServer, 'catalog' | 'definition'>, tool: string) {
  const held = heldDefinitions(server).some(
    ({ kind, name, shown }) => kind === 'tool' && name === tool && shown === 'nothing',
  );
  if (held) {
    throw new HumanError(
      'definition_held',
      l10n.t(
        'Server {0} changed tool {1} since you trusted it.',
        quotedName(server.definition.name),
        quotedName(tool),
      ),
      { remedy: l10n.t('Review the change, then accept it.') },
    );
  }
}
