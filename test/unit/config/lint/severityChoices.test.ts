import { describe, expect, it } from 'vitest';
import {
  hiddenRules,
  hideRule,
  isProjectRule,
  showRules,
  toSeverityChoices,
  withSeverities,
} from '../../../../src/config/lint/severityChoices.js';

const written = { 'strict-json': 'warning', 'unpinned-package': 'off', mine: 7 };

describe('hiding a rule', () => {
  it('adds to what is written and leaves the rest', () => {
    const hidden = hideRule(written, 'strict-json');
    expect(hidden).toEqual({ 'strict-json': 'off', 'unpinned-package': 'off', mine: 7 });
    expect(hiddenRules(hidden)).toEqual(['strict-json', 'unpinned-package']);
  });

  it('silences it, and showing it again brings it back', () => {
    const problems = [{ code: 'literal-secret', severity: 'warning' as const }];
    const hidden = hideRule({}, 'literal-secret');
    expect(withSeverities(problems, toSeverityChoices(hidden))).toEqual([]);
    const shown = showRules(hidden, ['literal-secret']);
    expect(shown).toBeUndefined();
    expect(withSeverities(problems, toSeverityChoices(shown))).toEqual(problems);
  });

  it('shows again no more than was asked for', () => {
    expect(showRules(written, ['unpinned-package', 'strict-json'])).toEqual({
      'strict-json': 'warning',
      mine: 7,
    });
  });

  it('is for a workspace where the rule is about other programs', () => {
    expect(isProjectRule('strict-json')).toBe(true);
    expect(isProjectRule('literal-secret')).toBe(false);
    const problems = [{ code: 'literal-secret', severity: 'warning' as const }];
    const ofWorkspace = toSeverityChoices(hideRule({}, 'literal-secret'));
    expect(withSeverities(problems, {}, ofWorkspace)).toEqual(problems);
  });
});
