/** The one thing that a person can do about a server that does not work. What it does is the surfaces' matter. */
import * as l10n from '@vscode/l10n';

export const fixKinds = [
  'copyReport',
  'editCommand',
  'editUrl',
  'enable',
  'install',
  'openFolder',
  'openLine',
  'openSettings',
  'restart',
  'review',
  'runInTerminal',
  'setToken',
  'setValue',
  'showHow',
  'showLog',
  'showTraffic',
  'signIn',
  'start',
  'stop',
  'tryAgain',
  'trustWorkspace',
  'usePath',
  'useUrl',
  'waitLonger',
] as const;

export type FixKind = (typeof fixKinds)[number];

export interface Fix {
  readonly kind: FixKind;
  /** Of its button. */
  readonly title: string;
  /** What it is done to: a field of the entry, a line of its file, a variable, a command, a path, a URL. */
  readonly target?: string | undefined;
  /** The same as a full sentence, for whoever has no button; `undefined` where the title says it. */
  readonly how?: string | undefined;
}

export function fixOf(kind: FixKind, how?: string, target?: string): Fix {
  return { kind, title: fixTitle(kind, target), target, how };
}

function fixTitle(kind: FixKind, target = ''): string {
  switch (kind) {
    case 'install':
      return l10n.t('Install {0}', target);
    case 'openLine':
      return target === '' ? l10n.t('Open File') : l10n.t('Open at Line {0}', target);
    case 'usePath':
      return l10n.t('Use {0}', target);
    default:
      return plainTitles[kind]();
  }
}

const plainTitles: Readonly<
  Record<Exclude<FixKind, 'install' | 'openLine' | 'usePath'>, () => string>
> = {
  copyReport: () => l10n.t('Copy Report'),
  editCommand: () => l10n.t('Edit Command'),
  editUrl: () => l10n.t('Edit URL'),
  enable: () => l10n.t('Enable'),
  openFolder: () => l10n.t('Open Folder…'),
  openSettings: () => l10n.t('Open Settings'),
  restart: () => l10n.t('Restart'),
  review: () => l10n.t('Review…'),
  runInTerminal: () => l10n.t('Run in Terminal'),
  setToken: () => l10n.t('Set Token…'),
  setValue: () => l10n.t('Set Value…'),
  showHow: () => l10n.t('Show How to Fix'),
  showLog: () => l10n.t('Show Log'),
  showTraffic: () => l10n.t('Show Traffic'),
  signIn: () => l10n.t('Sign In'),
  start: () => l10n.t('Start'),
  stop: () => l10n.t('Stop'),
  tryAgain: () => l10n.t('Try Again'),
  trustWorkspace: () => l10n.t('Manage Workspace Trust'),
  useUrl: () => l10n.t('Use New URL…'),
  waitLonger: () => l10n.t('Wait Longer'),
};
