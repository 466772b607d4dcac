import { expect, it } from 'vitest';
import { CompactionHold } from '../../../../src/agent/context/compactionHold.js';
import type { PiEvent, PiModel, PiSettings } from '../../../../src/agent/pi/piModule.js';

const model = {
  provider: 'acme',
  id: 'small',
  name: 'Acme Small',
  contextWindow: 32_768,
} as PiModel;

function held() {
  const said: string[] = [];
  const offered: unknown[] = [];
  const settings = {
    getCompactionSettings: () => ({
      enabled: true,
      reserveTokens: 16_384,
      keepRecentTokens: 20_000,
    }),
    getGlobalSettings: () => ({}),
  } as unknown as PiSettings;
  const hold = new CompactionHold(settings, {
    model: () => model,
    fixedTokens: () => 8_500,
    say: (text, actions) => {
      said.push(text);
      offered.push(actions);
    },
  });
  const summarize = (tokensBefore: number, estimatedTokensAfter: number) =>
    hold.follow({
      type: 'compaction_end',
      reason: 'threshold',
      result: { tokensBefore, estimatedTokensAfter },
    } as PiEvent);
  const answer = (input: number) =>
    hold.follow({
      type: 'message_end',
      message: {
        role: 'assistant',
        stopReason: 'stop',
        usage: { input, cacheRead: 0, cacheWrite: 0 },
      },
    } as unknown as PiEvent);
  return { said, offered, summarize, answer, now: () => settings.getCompactionSettings(model) };
}

it('gives Pi limits that fit the model', () => {
  expect(held().now()).toEqual({ enabled: true, reserveTokens: 6_554, keepRecentTokens: 5_314 });
});

it('ends a loop of summaries that make no room, and says what does', () => {
  const { said, offered, summarize, answer, now } = held();
  summarize(27_000, 24_000);
  answer(24_500);
  answer(26_500);
  summarize(26_500, 23_000);
  expect(now().enabled).toBe(false);
  expect(said).toEqual([expect.stringContaining('make no room any more')]);
  expect(offered).toEqual([['chooseModel', 'fewerTools']]);
});

it('goes on where summaries make room, or are far apart', () => {
  const { said, summarize, answer, now } = held();
  summarize(27_000, 12_000);
  answer(13_000);
  summarize(27_000, 24_000);
  for (let requests = 0; requests < 6; requests++) {
    answer(20_000);
  }
  summarize(27_000, 24_000);
  expect(said).toEqual([]);
  expect(now().enabled).toBe(true);
});
