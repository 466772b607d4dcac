import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { nameToken } from '../../base/text/nameToken.js';
import type { CarriedServer, TransferHooks } from '../../config/edit/serverTransfer.js';
import type { InputStore } from '../../config/inputs/inputStore.js';
import type { BundleStore } from '../bundles/bundleStore.js';
import type { Authorizations } from '../oauth/authorizations.js';
import type { TrustGate } from '../trust/trustGate.js';

export type Answers = Pick<InputStore, 'get' | 'set' | 'forget'>;

export interface TransferParts extends Pick<TransferHooks, 'homeDir' | 'onNotice'> {
  readonly gate: TrustGate;
  readonly bundles: BundleStore;
  readonly authorizations: Authorizations;
  /** The user's answers to `${input:id}`. Default: none are kept. */
  readonly answers: Answers | undefined;
}

/** A server that goes to another file keeps its account and its answers, and never comes by a consent that way. */
export function createTransferHooks(parts: TransferParts): TransferHooks {
  const { homeDir, onNotice, gate, authorizations } = parts;
  return {
    homeDir,
    onNotice,
    onMoved: (entry, files) => parts.bundles.sweep(entry, files),
    assertConsented: (definition) => {
      if (!gate.check(definition).allowed) {
        throw new HumanError(
          'trust_required',
          l10n.t(
            'This server needs trust, which it would not need there: {0}',
            nameToken(definition.name),
          ),
          { remedy: l10n.t('Review and trust it first.') },
        );
      }
    },
    carry: async (carried) => {
      const answered = await carryAnswers(carried, parts.answers);
      const { from, to, isCopy } = carried;
      // the tokens of one account cannot be renewed in two places
      const accounts = isCopy ? [] : await authorizations.copyAccounts(from.id, to);
      return {
        takeBack: async () => {
          await Promise.all(
            answered.map((inputId) => parts.answers?.forget({ poolId: carried.toPool, inputId })),
          );
          await authorizations.forgetCopied(to, accounts);
        },
        forgetOld: async () => {
          await authorizations.forgetCopied(from.id, accounts);
        },
      };
    },
  };
}

/** @returns ids of the inputs that got their answer from the old place. */
async function carryAnswers(
  { from, toPool, inputIds }: CarriedServer,
  answers: Answers | undefined,
): Promise<readonly string[]> {
  const carried: string[] = [];
  for (const inputId of from.poolId === toPool ? [] : inputIds) {
    const value = await answers?.get({ poolId: from.poolId, inputId });
    const known = await answers?.get({ poolId: toPool, inputId });
    if (value !== undefined && known === undefined) {
      await answers?.set({ poolId: toPool, inputId }, value);
      carried.push(inputId);
    }
  }
  return carried;
}
