/** Reads from the file of a conversation why a call ran or asked. */
import { asString } from '../../../base/json.js';
import {
  type CallReason,
  type RuleSubject,
  type RuleView,
  ruleScopes,
  startKinds,
} from '../../../protocol/tools/approvalRules.js';
import { agentModes } from '../../../protocol/tools/modes.js';
import { isTrue, itemsOf, kindsOf, objectOf, oneOf, optional } from '../../reading/readers.js';

const readRule = objectOf<RuleView>({
  id: asString,
  scope: oneOf(ruleScopes),
  subject: kindsOf<RuleSubject, 'kind'>('kind', {
    tool: { server: asString, tool: asString },
    builtIn: { tool: asString },
    command: { words: itemsOf(asString), isPrefix: isTrue },
    call: { tool: asString, text: asString },
  }),
  since: asString,
});

const readRules = itemsOf(readRule);

/** `undefined` for what no version of us wrote. */
export const readReason = kindsOf<CallReason, 'kind'>('kind', {
  rule: { rule: readRule },
  commands: { rules: readRules },
  parts: { missing: itemsOf(asString) },
  pattern: { pattern: asString },
  mode: { mode: oneOf(agentModes) },
  guarded: { text: asString, isPattern: optional(oneOf([true])) },
  starts: { by: oneOf(startKinds) },
  user: {
    answer: oneOf(['once', 'run', 'deny', ...ruleScopes] as const),
    rules: optional((value) => {
      const rules = readRules(value);
      return rules.length > 0 ? rules : undefined;
    }),
    words: optional(asString),
  },
  setting: {},
  yolo: {},
  plan: {},
  app: {},
  reads: {},
  harmless: {},
  default: {},
  changed: {},
  place: {},
  unclear: {},
});
