/** The ways to a first model that are really there. */
import * as l10n from '@vscode/l10n';
import { counted } from '../../../base/text/counted.js';
import type { ModelWay, ModelWayChoice } from '../../../protocol/start/modelWays.js';
import type { PiModelRuntime } from '../../pi/piModule.js';
import { editorProvider } from '../editor/provider.js';
import type { AgentProblem, Models } from '../models.js';
import type { ModelServer } from '../servers/modelServer.js';
import { localServers } from '../servers/modelServers.js';

/** Providers of Pi that most people have; the others are one step further. */
const wellKnown = {
  account: ['anthropic', 'openai-codex', 'github-copilot'],
  apiKey: ['anthropic', 'openai', 'google', 'openrouter'],
} as const;

type Provider = ReturnType<PiModelRuntime['getProviders']>[number];

/**
 * Why there is nothing to choose from, with the ways out, or `undefined`.
 * @param local servers of this machine that answer; `undefined` while nobody looked
 */
export function modelProblem(
  models: Models,
  local: readonly ModelServer[] | undefined,
): AgentProblem | undefined {
  const { problem } = models;
  return problem && models.isEmpty ? { ...problem, ways: modelWays(models, local) } : problem;
}

/** Those that are there already come first. */
function modelWays(
  { runtime, editor }: Models,
  local: readonly ModelServer[] | undefined,
): readonly ModelWay[] {
  const own = runtime.getProviders().filter(({ id }) => id !== editorProvider);
  const vendors = editor?.vendors ?? [];
  const localWay = wayToLocal(local);
  const isLocalThere = local !== undefined && local.length > 0;
  return [
    ...(vendors.length > 0 ? [wayToEditor(vendors.map(({ vendorName }) => vendorName))] : []),
    ...(isLocalThere ? [localWay] : []),
    {
      kind: 'account',
      title: l10n.t('An account or subscription'),
      text: l10n.t('Your plan pays, within its limits. What you write goes to its provider.'),
      choices: choicesOf(own, 'account'),
    },
    {
      kind: 'apiKey',
      title: l10n.t('An API key'),
      text: l10n.t('You pay the provider per use. What you write goes there.'),
      choices: choicesOf(own, 'apiKey'),
    },
    ...(isLocalThere ? [] : [localWay]),
    {
      kind: 'server',
      title: l10n.t('A model server'),
      text: l10n.t('Address of a server that speaks OpenAI’s protocol. What you write goes there.'),
      choices: [{ label: l10n.t('Add Model Server…') }],
    },
  ];
}

function wayToEditor(names: readonly string[]): ModelWay {
  return {
    kind: 'editor',
    title: l10n.t('Models of VS Code: {0}', names.join(', ')),
    text: l10n.t('They may be billed or count towards your plan. What you write goes there.'),
    choices: [{ label: l10n.t('Choose Model…') }],
  };
}

function wayToLocal(local: readonly ModelServer[] | undefined): ModelWay {
  const found = (local ?? []).map(({ name, models }) =>
    l10n.t('{0}: {1}', name, counted(l10n.t('1 model|{0} models'), models.length)),
  );
  const names = localServers.map(({ name }) => name).join(', ');
  return {
    kind: 'local',
    title: l10n.t('A model on this machine'),
    text: [
      l10n.t('It costs nothing, and nothing leaves the machine.'),
      ...found,
      ...(local?.length === 0
        ? [l10n.t('No model server with a model answers on this machine. Asked: {0}.', names)]
        : []),
    ].join(' '),
    choices: [{ label: found.length > 0 ? l10n.t('Choose Model…') : l10n.t('Find Local Models…') }],
  };
}

function choicesOf(
  providers: readonly Provider[],
  kind: keyof typeof wellKnown,
): readonly ModelWayChoice[] {
  const known = wellKnown[kind].flatMap((id): readonly ModelWayChoice[] => {
    const found = providers.find((one) => one.id === id);
    const label = found && labelOf(found, kind);
    return label === undefined ? [] : [{ label, provider: id }];
  });
  return [...known, { label: l10n.t('More…') }];
}

/** `undefined` when the provider has no such way. */
function labelOf({ name, auth }: Provider, kind: keyof typeof wellKnown): string | undefined {
  if (kind === 'apiKey') {
    return auth.apiKey?.login ? name : undefined;
  }
  // of "Anthropic (Claude Pro/Max)" the plan
  return auth.oauth && (/\(([^)]+)\)$/.exec(auth.oauth.name)?.[1] ?? auth.oauth.name);
}
