/** Reads from the file of a conversation why a call ran or asked. */
import { isJsonObject } from '../../../base/json.js';
import {
  type CallReason,
  type RuleSubject,
  type RuleView,
  ruleScopes,
  startKinds,
} from '../../../protocol/tools/approvalRules.js';
import { isAgentMode } from '../../../protocol/tools/modes.js';

const plainKinds = [
  'setting',
  'yolo',
  'plan',
  'app',
  'reads',
  'harmless',
  'default',
  'changed',
  'place',
  'unclear',
] as const;
const answers = ['once', 'run', 'deny', ...ruleScopes] as const;

/** `undefined` for what no version of us wrote. */
export function readReason(value: unknown): CallReason | undefined {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const rules = Array.isArray(value.rules) ? value.rules.flatMap((one) => readRule(one) ?? []) : [];
  switch (value.kind) {
    case 'rule': {
      const rule = readRule(value.rule);
      return rule && { kind: 'rule', rule };
    }
    case 'commands':
      return { kind: 'commands', rules };
    case 'parts':
      return { kind: 'parts', missing: textsOf(value.missing) };
    case 'pattern':
      return typeof value.pattern === 'string'
        ? { kind: 'pattern', pattern: value.pattern }
        : undefined;
    case 'mode':
      return isAgentMode(value.mode) ? { kind: 'mode', mode: value.mode } : undefined;
    case 'guarded': {
      const { text, isPattern } = value;
      return typeof text === 'string'
        ? { kind: 'guarded', text, isPattern: isPattern === true || undefined }
        : undefined;
    }
    case 'starts': {
      const by = startKinds.find((one) => one === value.by);
      return by && { kind: 'starts', by };
    }
    case 'user': {
      const answer = answers.find((one) => one === value.answer);
      const words = typeof value.words === 'string' ? value.words : undefined;
      return answer && { kind: 'user', answer, rules: rules.length > 0 ? rules : undefined, words };
    }
    default: {
      const kind = plainKinds.find((one) => one === value.kind);
      return kind && { kind };
    }
  }
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function readRule(value: unknown): RuleView | undefined {
  const { id, scope, since, subject } = isJsonObject(value) ? value : {};
  const known = ruleScopes.find((one) => one === scope);
  const covered = readSubject(subject);
  return known && covered && typeof id === 'string' && typeof since === 'string'
    ? { id, scope: known, subject: covered, since }
    : undefined;
}

function readSubject(value: unknown): RuleSubject | undefined {
  const { kind, server, tool, text, words, isPrefix } = isJsonObject(value) ? value : {};
  if (kind === 'command') {
    return { kind, words: textsOf(words), isPrefix: isPrefix === true };
  }
  if (typeof tool !== 'string') {
    return undefined;
  }
  switch (kind) {
    case 'tool':
      return typeof server === 'string' ? { kind, server, tool } : undefined;
    case 'builtIn':
      return { kind, tool };
    case 'call':
      return typeof text === 'string' ? { kind, tool, text } : undefined;
    default:
      return undefined;
  }
}
