import { describe, expect, it } from 'vitest';
import { judgeLentCall } from '../../../../src/gateway/lending/approvals.js';

const reads = { readOnlyHint: true };
const writes = { readOnlyHint: false };

describe('judgeLentCall', () => {
  it.each([
    // setting, client, of what reads, of what writes, of what says nothing
    [{}, 'any', 'asked', 'asked', 'asked'],
    [{ any: 'ask' }, 'any', 'asked', 'asked', 'asked'],
    [{ any: 'clientDecides' }, 'any', 'allowed', 'allowed', 'allowed'],
    [{ any: 'readOnlyOnly' }, 'any', 'allowed', 'refused', 'refused'],
    [{ other: 'clientDecides' }, 'any', 'asked', 'asked', 'asked'],
    [{ '*': 'readOnlyOnly' }, 'any', 'allowed', 'refused', 'refused'],
    [{ '*': 'clientDecides', any: 'ask' }, 'any', 'asked', 'asked', 'asked'],
    [{ '*': 'ask', any: 'clientDecides' }, 'any', 'allowed', 'allowed', 'allowed'],
    // names are not patterns, and what is not known asks
    [{ 'an*': 'clientDecides' }, 'any', 'asked', 'asked', 'asked'],
    [{ ANY: 'clientDecides' }, 'any', 'asked', 'asked', 'asked'],
    [{ any: true }, 'any', 'asked', 'asked', 'asked'],
    [{ any: 'yes' }, 'any', 'asked', 'asked', 'asked'],
    [{}, 'constructor', 'asked', 'asked', 'asked'],
    [{}, '__proto__', 'asked', 'asked', 'asked'],
  ])('%o lets %s do', (setting, client, read, write, unsaid) => {
    const judged = [reads, writes, undefined].map((one) => judgeLentCall(setting, client, one));
    expect(judged).toEqual([read, write, unsaid]);
  });
});
