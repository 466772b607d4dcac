import { isHumanError } from '../../../src/base/errors.js';
import { drawStreamed, drawWhole, markdownInputs } from '../markdownKinds.js';
import { ofConfiguration } from './configuration.js';
import type { Parser } from './kinds.js';
import { ofServers } from './servers.js';

export const parsers: readonly Parser[] = [
  { name: 'a whole answer', run: drawWhole, inputs: markdownInputs, maxSize: 32 * 1024 },
  { name: 'an answer that streams', run: drawStreamed, inputs: markdownInputs, maxSize: 4 * 1024 },
  ...ofConfiguration,
  ...ofServers,
].map((parser) => ({
  ...parser,
  run: (text) => expectingErrors(parser.run, text),
}));

/** A refusal is an answer; anything else that is thrown is a fault. */
function expectingErrors(run: (text: string) => unknown, text: string): unknown {
  try {
    return run(text);
  } catch (error) {
    if (!isHumanError(error)) {
      throw error;
    }
    return undefined;
  }
}
