/** What git says has changed in the folder, as VS Code's own extension knows it. */
import * as vscode from 'vscode';
import { type Mention, mention, placedFile } from './mention.js';

/** What is used of the API of `vscode.git`, version 1. */
interface GitApi {
  readonly repositories: readonly Repository[];
}

interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    readonly mergeChanges: readonly Change[];
    readonly untrackedChanges?: readonly Change[];
    readonly HEAD?: { readonly name?: string };
  };
  diffWithHEAD(path: string): Promise<string>;
}

interface Change {
  readonly uri: vscode.Uri;
  /** 7: untracked, as the extension numbers them. */
  readonly status: number;
}

const untracked = 7;
/** Files whose changes are shown; git is asked for each. */
const maxFiles = 40;
/** Characters after which the rest is named alone. */
const maxLength = 150_000;

/** Of files of the workspace alone, whatever else is in their repositories. */
export function gitMentions(): readonly Mention[] {
  return repositories().flatMap((repository) => {
    const files = changedFiles(repository);
    if (files.size === 0) {
      return [];
    }
    const branch = repository.state.HEAD?.name ?? '';
    const label = vscode.l10n.t('Git changes ({0})', files.size);
    return [
      mention(
        {
          kind: 'changes',
          label,
          detail: [branch, ...files.keys()].filter(Boolean).join(', '),
          word: 'changes',
          attach: async () => [
            {
              kind: 'text',
              what: 'changes',
              name: label,
              text: await changesOf(repository, files),
            },
          ],
        },
        'git changes',
      ),
    ];
  });
}

function repositories(): readonly Repository[] {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  if (!vscode.workspace.isTrusted || !extension?.isActive) {
    return [];
  }
  try {
    return extension.exports.getAPI(1).repositories;
  } catch {
    // switched off by a setting
    return [];
  }
}

function changedFiles({ state }: Repository): ReadonlyMap</* name */ string, Change> {
  const all = [
    ...state.indexChanges,
    ...state.workingTreeChanges,
    ...state.mergeChanges,
    ...(state.untrackedChanges ?? []),
  ];
  return new Map(
    all.flatMap((change) => {
      const place = placedFile(change.uri);
      return place ? [[place.name, change] as const] : [];
    }),
  );
}

async function changesOf(
  repository: Repository,
  files: ReadonlyMap<string, Change>,
): Promise<string> {
  const parts: string[] = [];
  const named: string[] = [];
  let length = 0;
  for (const [name, { uri, status }] of files) {
    if (status === untracked) {
      named.push(`new, not tracked: ${name}`);
    } else if (parts.length >= maxFiles || length > maxLength) {
      named.push(`changed, not shown: ${name}`);
    } else {
      const diff = await repository.diffWithHEAD(uri.fsPath);
      parts.push(diff.trimEnd());
      length += diff.length;
    }
  }
  return [...parts, ...named].join('\n');
}
