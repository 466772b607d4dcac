/** Why calls run or ask, and what rules cover, in sentences. */
import * as l10n from '@vscode/l10n';
import { nameToken, quotedName } from '../../../base/text/nameToken.js';
import type {
  CallReason,
  RuleChangeView,
  RuleScope,
  RuleSubject,
  RuleView,
  StartKind,
} from '../../../protocol/tools/approvalRules.js';

/** Characters of a command or a path in a sentence. */
const maxText = 80;

export function askedText(why: CallReason): string {
  switch (why.kind) {
    case 'pattern':
      return l10n.t('Asked each time: {0}', `approveTools “${why.pattern}”`);
    case 'changed':
      return l10n.t('The server changed this tool since you allowed it.');
    case 'place':
      return l10n.t('Outside the workspace folder.');
    case 'starts':
      return l10n.t('Asked each time: {0}', startWords[why.by]());
    case 'app':
      return l10n.t('An app of the server wants this, not Pi.');
    case 'guarded':
      return l10n.t(
        'Asked each time: {0}',
        why.isPattern ? `piMcp.agent.alwaysAsk “${why.text}”` : l10n.t('hard to undo'),
      );
    case 'parts':
      return l10n.t('No rule allows {0} yet.', quoted(why.missing));
    case 'unclear':
      return l10n.t('Too complex to allow in advance.');
    default:
      return '';
  }
}

function runByGit(): string {
  return l10n.t('Git runs what this file holds or names, such as hooks and filters.');
}

/** What would start, and when. */
const startWords: Readonly<Record<StartKind, () => string>> = {
  git: runByGit,
  gitNamed: runByGit,
  hooks: runByGit,
  editor: () =>
    l10n.t('Editors run tasks and programs that this file names, some when the folder is opened.'),
  agent: () => l10n.t('Agents and MCP clients start servers and programs that this file names.'),
  shell: () =>
    l10n.t(
      'Shells and other programs run what this file says when they start or enter the folder.',
    ),
  install: () =>
    l10n.t('Package managers run what this file says when somebody installs or commits.'),
  container: () => l10n.t('Containers run what this file says when the folder is opened in one.'),
  pipeline: () =>
    l10n.t('Jobs run what this file says, with their secrets, when somebody pushes it.'),
  dotted: () =>
    l10n.t(
      'Files with such names are read by programs without being asked to, and may start others.',
    ),
};

function quoted(texts: readonly string[]): string {
  return texts.map((text) => `“${shorten(text)}”`).join(', ');
}

export function ranText(why: CallReason): string {
  switch (why.kind) {
    case 'rule':
      return l10n.t('Ran without asking: {0}', ruleText(why.rule));
    case 'setting':
      return l10n.t('Ran without asking: {0}', 'approveTools');
    case 'yolo':
      return l10n.t('Ran without asking: {0}', l10n.t('Run Freely'));
    case 'mode':
      return l10n.t(
        'Ran without asking: {0}',
        why.mode === 'acceptEdits' ? l10n.t('Accept Edits') : l10n.t('Run Freely'),
      );
    case 'plan':
      return l10n.t('Not run: a plan comes first.');
    case 'reads':
      return l10n.t('Ran without asking: {0}', l10n.t('only reads in this folder'));
    case 'harmless':
      return l10n.t('Only searches for tools.');
    case 'commands':
      return l10n.t('Ran without asking: {0}', why.rules.map(ruleText).join(', '));
    case 'user':
      return answerText(why);
    default:
      return '';
  }
}

function answerText({ answer, rules = [], words }: Extract<CallReason, { kind: 'user' }>): string {
  if (answer === 'deny') {
    return words === undefined
      ? l10n.t('You denied it.')
      : `${l10n.t('You denied it.')} “${words}”`;
  }
  if (answer === 'run') {
    return l10n.t('You allowed the edits of this run.');
  }
  return [l10n.t('You allowed it.'), rules.map(ruleText).join(', ')].join(' ').trim();
}

/** What it covers, and where. */
export function ruleText({ subject, scope }: RuleView): string {
  return `${subjectText(subject)} (${scopeLabels[scope]()})`;
}

function subjectText(subject: RuleSubject): string {
  switch (subject.kind) {
    case 'tool':
      return l10n.t(
        '“{0}” of server {1}',
        nameToken(nameToken(subject.tool)),
        quotedName(nameToken(subject.server)),
      );
    case 'builtIn':
      return `“${nameToken(subject.tool)}”`;
    case 'command':
      return `“${[...subject.words, ...(subject.isPrefix ? ['*'] : [])].join(' ')}”`;
    case 'call':
      return l10n.t('“{0}” with exactly {1}', nameToken(subject.tool), shorten(subject.text));
  }
}

export function changeText({ change, rules }: RuleChangeView): string {
  const texts = rules.map(ruleText).join(', ');
  switch (change) {
    case 'allowed':
    case 'restored':
      return l10n.t('From the next call on: {0}', texts);
    case 'removed':
      return l10n.t('Rule removed: {0}', texts);
  }
}

export const scopeLabels: Readonly<Record<RuleScope, () => string>> = {
  conversation: () => l10n.t('Always in This Conversation'),
  folder: () => l10n.t('Always in This Folder'),
  everywhere: () => l10n.t('Always Everywhere'),
};

function shorten(text: string): string {
  const [line = '', ...more] = text.split('\n');
  return line.length > maxText || more.length > 0 ? `${line.slice(0, maxText)}…` : line;
}
