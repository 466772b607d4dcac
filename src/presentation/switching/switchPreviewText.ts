import * as l10n from '@vscode/l10n';
import type { SwitchPreviewView } from '../../protocol/configProtocol.js';
import type { CostChange, ServerEffect, SwitchPreview } from './switchPreview.js';
import { costlyExposures } from './toolCosts.js';

/** What staged switches would do, in words. */
export function switchPreviewView(preview: SwitchPreview): SwitchPreviewView {
  const changed = preview.costs.filter(isChanged);
  const isOneFolder = preview.costs.length === 1;
  const facts = [...countLines(preview), ...changed.map((one) => standing(one, isOneFolder))];
  return {
    summary: [
      facts.join(', '),
      ...(preview.isCostKnown ? [] : [l10n.t('Cost appears after the first start.')]),
    ].join('. '),
    effects: Object.fromEntries(
      preview.servers.map(({ server, effect }) => [server.id, effectText(effect)]),
    ),
  };
}

function countLines({ servers }: SwitchPreview): readonly string[] {
  const count = (...effects: readonly ServerEffect[]) =>
    servers.filter(({ effect }) => effects.includes(effect)).length;
  const counted: readonly (readonly [number, (count: number) => string])[] = [
    [count('starts'), (some) => l10n.t('{0} start', some)],
    [count('asks'), (some) => l10n.t('{0} need trust', some)],
    [count('restricted', 'masterOff', 'invalid'), (some) => l10n.t('{0} cannot run yet', some)],
    [count('stops'), (some) => l10n.t('{0} stop', some)],
    [count('rests'), (some) => l10n.t('{0} disabled', some)],
  ];
  return counted.flatMap(([some, text]) => (some > 0 ? [text(some)] : []));
}

function effectText(effect: ServerEffect): string {
  switch (effect) {
    case 'starts':
      return l10n.t('It starts.');
    case 'asks':
      return l10n.t('The server waits for your trust before it runs.');
    case 'restricted':
      return l10n.t('The workspace is in Restricted Mode.');
    case 'masterOff':
      return l10n.t('All servers are disabled in a configuration file.');
    case 'invalid':
      return l10n.t('The entry cannot be used.');
    case 'stops':
      return l10n.t('It stops.');
    case 'rests':
      return l10n.t('It does not run now, and will not be used.');
  }
}

function isChanged({ before, after }: CostChange): boolean {
  return costlyExposures.some(
    (exposure) =>
      before[exposure].tools !== after[exposure].tools ||
      before[exposure].tokens !== after[exposure].tokens,
  );
}

function standing({ folder, before, after }: CostChange, isOneFolder: boolean): string {
  const [from, to] = [before.direct.tokens, after.direct.tokens];
  const text = l10n.t('tokens in every request: {0} → {1}', from, to);
  return folder && !isOneFolder ? `${folder.name}: ${text}` : text;
}
