import { describe, expect, it } from 'vitest';
import { coversScope, unionOfScopes } from '../../../../src/mcp/oauth/scopes.js';
import { StepUps } from '../../../../src/mcp/oauth/stepUps.js';

describe('rights', () => {
  it('are united once each', () => {
    expect(unionOfScopes('a b', undefined, ' b  c', '')).toBe('a b c');
    expect(unionOfScopes(undefined, ' ')).toBeUndefined();
  });

  it.each([
    ['a b', 'b', true],
    ['a', 'a b', false],
    [undefined, '', true],
    [undefined, 'a', false],
  ])('%s covers %s: %s', (held, wanted, isCovered) => {
    expect(coversScope(held, wanted)).toBe(isCovered);
  });
});

describe('steps up', () => {
  it('ask for everything that waits', () => {
    const stepUps = new StepUps();
    const left = stepUps.wait('gone');
    stepUps.wait('a');
    stepUps.wait('b a');
    left.dispose();
    expect(stepUps.begin().scope).toBe('a b');
  });

  it('ask for the same rights once until the next sign-in', () => {
    const stepUps = new StepUps();
    stepUps.wait('a');
    expect(stepUps.isInVain('a', undefined)).toBe(false);
    stepUps.begin();
    expect(stepUps.isInVain('a', undefined)).toBe(true);
    stepUps.forget();
    expect(stepUps.isInVain('a', undefined)).toBe(false);
  });

  it('ask again for rights that were given and lost, and not for those that do not help', () => {
    const stepUps = new StepUps();
    stepUps.wait('a');
    stepUps.begin().end({ scope: 'a b' });
    expect(stepUps.isInVain('a', { scope: 'b' })).toBe(false);
    expect(stepUps.isInVain('a', { scope: 'a b' })).toBe(true);
  });

  it('ask again when nobody could be asked', () => {
    const stepUps = new StepUps();
    stepUps.wait('a');
    stepUps.begin().giveUp();
    expect(stepUps.isInVain('a', undefined)).toBe(false);
  });
});
