import * as l10n from '@vscode/l10n';
import { HumanError } from '../../../base/errors.js';
import { quotedName } from '../../../base/text/nameToken.js';
import type { McpServer } from '../../mcpApi.js';
import { heldDefinitions } from '../../stateKinds.js';

/** @param others what else has to hold @throws {HumanError} for what is kept back until its new definition is accepted. */
export function assertNotHeld(
  server: Pick<McpServer, 'catalog' | 'definition'>,
  name: string,
  kind: 'tool' | 'skill' = 'tool',
  others: () => void = () => undefined,
) {
  const held = heldDefinitions(server).some(
    (one) => one.kind === kind && one.name === name && one.shown === 'nothing',
  );
  if (held) {
    const owner = server.definition.name;
    throw new HumanError(
      'definition_held',
      l10n.t('Server {0} changed {1} since you trusted it.', quotedName(owner), quotedName(name)),
      { remedy: l10n.t('Review the change, then accept it.') },
    );
  }
  others();
}
