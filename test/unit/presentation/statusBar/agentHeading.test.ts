import { describe, expect, it } from 'vitest';
import { tabHeading, tabTitles } from '../../../../src/presentation/statusBar/agentHeading.js';

const waiting = { id: 'a.jsonl', title: 'Fix login', count: 1 };

describe('the heading of a tab', () => {
  it('is the title of the conversation, once it has one', () => {
    expect(tabHeading({ waiting: [] })).toEqual({
      title: 'Pi Agent',
      needsUser: false,
      isWorking: false,
    });
    expect(tabHeading({ title: 'Fix login', waiting: [] }).title).toBe('Fix login');
  });

  it('says in words, too, that the conversation waits for the user', () => {
    expect(tabHeading({ title: 'Fix login', waiting: [{ ...waiting, isShown: true }] })).toEqual({
      title: 'Fix login (needs you)',
      needsUser: true,
      isWorking: false,
    });
  });

  it('says nothing of others that wait', () => {
    expect(tabHeading({ title: 'Fix login', waiting: [{ ...waiting, isShown: false }] })).toEqual({
      title: 'Fix login',
      needsUser: false,
      isWorking: false,
    });
  });

  it('says that Pi works there, unless it waits for the user', () => {
    const activity = { kind: 'thinking', since: 0, begun: 0 } as const;
    expect(tabHeading({ activity, waiting: [] }).isWorking).toBe(true);
    const isShown = [{ ...waiting, isShown: true }];
    expect(tabHeading({ activity, waiting: isShown }).isWorking).toBe(false);
  });
});

it('is one of two by which a tab is known that VS Code kept', () => {
  const { title } = tabHeading({ title: 'Fix login', waiting: [{ ...waiting, isShown: true }] });
  expect(tabTitles('Fix login')).toEqual(['Fix login', title]);
});
