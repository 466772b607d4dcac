import * as l10n from '@vscode/l10n';
import { showText } from '../../base/text/showText.js';
import type { CostChange, ServerEffect, SwitchPreview } from './switchPreview.js';
import { costlyExposures, type ToolCost } from './toolCosts.js';

/** One thing that would change, in words. */
interface PreviewLine {
  /** Name of a codicon. */
  readonly icon: string;
  readonly text: string;
  readonly detail: string;
}

export interface PreviewText {
  /** All of it in one sentence. */
  readonly summary: string;
  readonly lines: readonly PreviewLine[];
}

const icons: Readonly<Record<ServerEffect, string>> = {
  starts: 'debug-start',
  connects: 'plug',
  asks: 'shield',
  restricted: 'shield',
  masterOff: 'circle-slash',
  invalid: 'warning',
  stops: 'debug-stop',
  disconnects: 'debug-disconnect',
  rests: 'circle-slash',
};

export function previewText(preview: SwitchPreview): PreviewText {
  const changed = preview.costs.filter(isChanged);
  const isOneFolder = preview.costs.length === 1;
  return {
    summary: [...countLines(preview), ...changed.map((one) => standing(one, isOneFolder))].join(
      ', ',
    ),
    lines: [
      ...preview.servers.map(({ server, effect }) => ({
        icon: icons[effect],
        text: placed(server.definition.name, server.definition.folder?.name),
        detail: effectText(effect),
      })),
      ...preview.tools.map(({ server, tool, isOn }) => ({
        icon: isOn ? 'check' : 'circle-slash',
        text: `${placed(server.definition.name, server.definition.folder?.name)}: ${showText(tool)}`,
        detail: isOn ? l10n.t('The tool is on.') : l10n.t('The tool is off.'),
      })),
      ...changed.flatMap((change) => costLines(change, isOneFolder)),
      ...preview.unknown.map(({ definition }) => ({
        icon: 'question',
        text: showText(definition.name),
        detail: l10n.t('Cost appears after the first start.'),
      })),
    ],
  };
}

function placed(name: string, folder: string | undefined): string {
  const shown = showText(name);
  return folder === undefined ? shown : l10n.t('{0} ({1})', shown, folder);
}

function countLines({ servers, tools }: SwitchPreview): readonly string[] {
  const count = (...effects: readonly ServerEffect[]) =>
    servers.filter(({ effect }) => effects.includes(effect)).length;
  const counted: readonly (readonly [number, (count: number) => string])[] = [
    [count('starts', 'connects'), (some) => l10n.t('{0} start', some)],
    [count('asks'), (some) => l10n.t('{0} need trust', some)],
    [count('restricted', 'masterOff', 'invalid'), (some) => l10n.t('{0} cannot run yet', some)],
    [count('stops', 'disconnects'), (some) => l10n.t('{0} stop', some)],
    [count('rests'), (some) => l10n.t('{0} disabled', some)],
    [tools.filter(({ isOn }) => isOn).length, (some) => l10n.t('tools on: {0}', some)],
    [tools.filter(({ isOn }) => !isOn).length, (some) => l10n.t('tools off: {0}', some)],
  ];
  return counted.flatMap(([some, text]) => (some > 0 ? [text(some)] : []));
}

function effectText(effect: ServerEffect): string {
  switch (effect) {
    case 'starts':
      return l10n.t('Its process starts.');
    case 'connects':
      return l10n.t('It is connected.');
    case 'asks':
      return l10n.t('Needs trust before it runs.');
    case 'restricted':
      return l10n.t('It waits until the workspace is trusted.');
    case 'masterOff':
      return l10n.t('It does not run: all servers are disabled at the top of a file.');
    case 'invalid':
      return l10n.t('It does not run: its entry has errors.');
    case 'stops':
      return l10n.t('Its process stops.');
    case 'disconnects':
      return l10n.t('Its connection ends.');
    case 'rests':
      return l10n.t('It does not run now, and will not be used.');
  }
}

function isChanged({ before, after }: CostChange): boolean {
  return costlyExposures.some((exposure) => isOther(before[exposure], after[exposure]));
}

function isOther(a: ToolCost, b: ToolCost): boolean {
  return a.tools !== b.tools || a.tokens !== b.tokens;
}

function standing({ folder, before, after }: CostChange, isOneFolder: boolean): string {
  const [from, to] = [before.direct.tokens, after.direct.tokens];
  return folder && !isOneFolder
    ? l10n.t('tokens in every request in {0}: {1} → {2}', folder.name, from, to)
    : l10n.t('tokens in every request: {0} → {1}', from, to);
}

function costLines(
  { folder, before, after }: CostChange,
  isOneFolder: boolean,
): readonly PreviewLine[] {
  const texts = {
    direct: l10n.t('Tools in every request'),
    search: l10n.t('Tools found by ToolSearch'),
    proxy: l10n.t('Tools called through the tool mcp'),
  };
  return costlyExposures
    .filter((exposure) => isOther(before[exposure], after[exposure]))
    .map((exposure) => ({
      icon: 'symbol-numeric',
      text: placed(texts[exposure], isOneFolder ? undefined : folder?.name),
      detail: l10n.t('{0} → {1}', costText(before[exposure]), costText(after[exposure])),
    }));
}

function costText({ tools, tokens }: ToolCost): string {
  return l10n.t('{0} tools, {1} tokens', tools, tokens);
}
