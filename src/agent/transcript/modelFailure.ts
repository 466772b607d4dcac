/** Failures of a model's provider in the user's words, with the next step. Providers word them as they like. */
import * as l10n from '@vscode/l10n';
import { nameToken, quotedName } from '../../base/text/nameToken.js';
import { maskText } from '../../config/secrets/secretMask.js';
import type { PanelAction } from '../../protocol/agentProtocol.js';

export interface ModelFailure {
  readonly text: string;
  readonly remedy?: string;
  readonly actions?: readonly PanelAction[];
}

// pages of proxies come as errors, too
const maxDetailLength = 500;

/** Leads what {@link editorFailure} says. */
const editorMark = /^vscode\.lm (\w+): /;

/** What a session keeps of a request that the editor refused, for {@link explainFailure}. */
export function editorFailure(code: string, message: string): string {
  return `vscode.lm ${code}: ${message}`;
}

/** What a run ends with that the user's own limit ended; Pi must not take it for something to try again. */
export const limitReached = 'pi-mcp: a limit of the user';

/** @param message what the provider, or the way to it, said */
export function explainFailure(message: string): ModelFailure {
  if (message === limitReached) {
    return {
      text: l10n.t('Stopped at the limit that you set.'),
    };
  }
  const detail = detailOf(message);
  const editorCode = editorMark.exec(detail)?.[1];
  if (editorCode !== undefined) {
    const said = shorten(detail.replace(editorMark, ''));
    const title = editorRefusal(editorCode);
    return {
      text: said === '' ? title : `${title} (${said})`,
      remedy: tryAgain(),
      actions: ['chooseModel'],
    };
  }
  const shown = shorten(detail);
  const known = kinds().find(({ pattern }) => pattern.test(detail));
  if (!known) {
    return { text: shown, remedy: tryAgain() };
  }
  const { title, remedy = tryAgain(), actions } = known;
  return { text: `${title} (${shown})`, remedy, actions };
}

const tooLong =
  /context[ _-]?(length|window|size)|maximum context|prompt (is )?too long|too many (input )?tokens|input is too long|exceeds the (limit|maximum)|request_too_large|token limit/i;

/** The provider took the request for too long. */
export function isTooLong(message: string): boolean {
  return tooLong.test(message);
}

/** A summary that is too long for the model itself: another one would be, too. */
export function explainLongSummary(message: string): ModelFailure {
  return {
    ...explainTooLong(message),
    text: l10n.t('The conversation could not be summarized: {0}', explainTooLong(message).text),
  };
}

/** A request that is too long for the model although the conversation was summarized for it. */
export function explainTooLong(message: string): ModelFailure {
  return {
    text: `${l10n.t('The conversation is too long for the model.')} (${shownDetail(message)})`,
    remedy: largerContext(),
    actions: ['newConversation'],
  };
}

/** A tool that the model's provider takes in no request. */
export interface ToolRefusal {
  readonly server: string;
  readonly tool: string;
  /** What the provider said, see {@link shownDetail}. */
  readonly reason: string;
}

export function explainRefusal({ server, tool, reason }: ToolRefusal): ModelFailure {
  return {
    text: l10n.t(
      'This conversation goes on without a tool that the provider refused, and said: {0} Tool and MCP server: {1} · {2}',
      reason,
      quotedName(tool),
      nameToken(server),
    ),
    remedy: l10n.t('Check its box in the Servers view to offer it again.'),
  };
}

/** Without secrets. */
function detailOf(message: string): string {
  // what Pi says behind a blank line is about its own command line
  const [detail = ''] = maskText(message.trim()).split(/\n\s*\n/);
  return detail;
}

/** What a provider said, without secrets and no longer than anybody reads. */
export function shownDetail(message: string): string {
  return shorten(detailOf(message));
}

function shorten(detail: string): string {
  return detail.length > maxDetailLength ? `${detail.slice(0, maxDetailLength - 1)}…` : detail;
}

function editorRefusal(code: string): string {
  switch (code) {
    case 'Blocked':
      return l10n.t('The provider takes no more requests: a limit of your plan is reached.');
    case 'NotFound':
      return modelGone();
    default:
      return l10n.t('Nothing was sent: you have not allowed the models of this provider.');
  }
}

export function tryAgain(): string {
  return l10n.t('Try again, or choose another model.');
}

export function modelGone(): string {
  return l10n.t('The model is not offered any more.');
}

function largerContext(): string {
  return l10n.t('Choose a model with a larger context, or start a new conversation.');
}

interface FailureKind {
  readonly pattern: RegExp;
  readonly title: string;
  /** Default: {@link tryAgain}. */
  readonly remedy?: string;
  readonly actions?: readonly PanelAction[];
}

/** The first that fits is taken. */
function kinds(): readonly FailureKind[] {
  return [
    {
      pattern: tooLong,
      title: l10n.t('The conversation is too long for the model.'),
      remedy: largerContext(),
      actions: ['newConversation'],
    },
    {
      pattern:
        /\b401\b|unauthori[sz]ed|no api key|(invalid|incorrect|missing).{0,20}api.?key|authentication/i,
      title: l10n.t('The provider rejected your API key or login.'),
      actions: ['logIn'],
    },
    {
      pattern: /\b403\b|forbidden|permission denied/i,
      title: l10n.t('This login may not use the model.'),
      actions: ['logIn'],
    },
    {
      pattern: /\b402\b|insufficient.{0,20}(quota|credit|balance)|billing|out of credits/i,
      title: l10n.t('The account at the provider has no credit left.'),
      actions: ['chooseModel'],
    },
    {
      pattern: /\b429\b|rate.?limit|too many requests|overloaded|\b529\b/i,
      title: `${busyText(l10n.t('The provider'))}.`,
    },
    {
      pattern:
        /ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|fetch failed|connection error|network|socket|terminated/i,
      title: `${unreachableText(l10n.t('The provider'))}.`,
      remedy: l10n.t('Check the network and the proxy settings, then try again.'),
      actions: ['openModels'],
    },
    {
      pattern: /\b404\b|model.{0,40}(not found|does not exist)|unknown model/i,
      title: modelGone(),
      actions: ['chooseModel'],
    },
    {
      pattern: /\b5\d\d\b|internal server error|bad gateway|service unavailable/i,
      title: `${brokenText(l10n.t('The provider'))}.`,
    },
  ];
}

export function busyText(provider: string): string {
  return l10n.t('{0} takes no more requests for the moment', provider);
}

export function unreachableText(provider: string): string {
  return l10n.t('{0} could not be reached', provider);
}

export function brokenText(provider: string): string {
  return l10n.t('{0} returned a server error', provider);
}
