/** Every rule that lets calls run, for whoever lists them. */
import type { McpScope, McpServerDefinition, WorkspaceFolder } from '../../config/definition.js';
import { nameInWindow } from '../../config/nameInWindow.js';
import type { RuleSubject } from '../../protocol/tools/approvalRules.js';
import { toolRule } from './approvalStore.js';
import type { SessionRules } from './rules/sessionRules.js';
import { ruleOf } from './shell/commandRuleStore.js';
import type { ToolFeatures } from './toolFeatures.js';

export interface ListedRule {
  readonly id: string;
  readonly subject: RuleSubject;
  readonly place:
    | { readonly kind: 'everywhere' }
    | { readonly kind: 'folder'; readonly uri: string }
    /** Without a title before its first message. */
    | { readonly kind: 'conversation'; readonly title: string | undefined };
  /** Of the server of a tool, in rules that outlive conversations: two servers may have one name. */
  readonly scope?: McpScope;
  /** ISO 8601. */
  readonly since: string;
  /** ISO 8601; absent when it let no call run yet. */
  readonly usedAt?: string;
  /**
   * @returns what brings it back; `undefined` when it was gone already.
   * @throws {HumanError} when it could not be saved.
   */
  remove(): Promise<(() => Promise<void> | void) | undefined>;
}

/** A conversation that is live, with what was allowed in it. */
export interface ConversationRules {
  readonly title: string | undefined;
  readonly rules: SessionRules;
}

type RuleFeatures = Pick<ToolFeatures, 'approvals' | 'commands' | 'uses'>;

/** Those of conversations first: they are the ones that cannot be found elsewhere. */
export function listRules(
  { approvals, commands, uses }: RuleFeatures,
  conversations: readonly ConversationRules[],
): readonly ListedRule[] {
  const stored = [
    ...approvals.all.map((allowed) => ({
      rule: toolRule(allowed),
      scope: allowed.scope,
      folderUri: allowed.folderUri,
      store: approvals,
    })),
    ...commands.all.map((allowed) => ({
      rule: ruleOf(allowed),
      scope: undefined,
      folderUri: allowed.folderUri,
      store: commands,
    })),
  ];
  return [
    ...conversations.flatMap(({ title, rules }) =>
      rules.all.map(({ id, subject, since }) => ({
        id,
        subject,
        place: { kind: 'conversation', title } as const,
        since,
        usedAt: rules.usedAt(id),
        remove: async () => rules.remove(id),
      })),
    ),
    ...stored.map(({ rule: { id, subject, since }, scope, folderUri, store }) => ({
      id,
      subject,
      scope,
      place:
        folderUri === undefined
          ? ({ kind: 'everywhere' } as const)
          : ({ kind: 'folder', uri: folderUri } as const),
      since,
      usedAt: uses.usedAt(id),
      remove: () => store.removeRule(id),
    })),
  ];
}

/** Whether it lets calls of this tool run. @param folders of the window */
export function isRuleFor(
  { subject, place, scope }: ListedRule,
  server: Pick<McpServerDefinition, 'name' | 'folder' | 'scope'>,
  tool: string,
  folders: readonly Pick<WorkspaceFolder, 'name'>[],
): boolean {
  if (subject.kind !== 'tool' || subject.tool !== tool) {
    return false;
  }
  // in conversations servers are named as the user was asked about them
  return place.kind === 'conversation'
    ? subject.server === nameInWindow(server, folders)
    : scope === server.scope && subject.server === server.name;
}
