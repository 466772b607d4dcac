/** Escape twice, where nothing runs and nothing is written: the messages of the conversation, to go back to before one. */
import type { AgentPage } from '../agentPage.js';

/** Milliseconds between the two. */
const pairMs = 600;

/** @returns what listens to keys that nothing else took */
export function backOnKey(page: AgentPage): (event: KeyboardEvent) => void {
  let before = Number.NEGATIVE_INFINITY;
  return ({ key, defaultPrevented, isComposing, repeat, timeStamp }) => {
    const { state, draft, transcript } = page.state;
    const canGoBack =
      state?.status !== 'running' && draft === '' && transcript.some(({ kind }) => kind === 'user');
    if (key !== 'Escape' || defaultPrevented || isComposing || repeat || !canGoBack) {
      before = Number.NEGATIVE_INFINITY;
      return;
    }
    const isSecond = timeStamp - before < pairMs;
    before = isSecond ? Number.NEGATIVE_INFINITY : timeStamp;
    if (isSecond) {
      void page.run((send) => send('runCommand', { text: '/restore' }));
    }
  };
}
