import type { CallApproval } from '../../../mcp/originTypes.js';
import type { CallReason, RuleView } from '../../../protocol/tools/approvalRules.js';

/** Why a call ran, as the log of calls has it. @param why default: nobody knows */
export function callApproval(why: CallReason | undefined): CallApproval | undefined {
  if (!why) {
    return undefined;
  }
  switch (why.kind) {
    case 'rule':
      return { kind: 'rule', rule: ruleText(why.rule) };
    case 'user':
      return { kind: 'user', rule: [why.answer, ...(why.rules ?? []).map(ruleText)].join('; ') };
    case 'mode':
      return { kind: 'mode', rule: why.mode };
    case 'setting':
      return { kind: 'setting', rule: 'approveTools' };
    default:
      return { kind: why.kind };
  }
}

function ruleText({ scope, subject, since }: RuleView): string {
  const what = subject.kind === 'tool' ? `${subject.server}/${subject.tool}` : subject.kind;
  return `${scope}: ${what}, ${since}`;
}
