// @ts-check
/** A reporter of vitest that notes errors outside of any test, which its JSON leaves out. */
import { writeFileSync } from 'node:fs';

/** What names the file that the errors go to, as a JSON array of their messages. */
export const outsideErrorsVariable = 'PI_MCP_OUTSIDE_ERRORS';

export default class OutsideErrors {
  /**
   * @param {unknown} _modules
   * @param {readonly { readonly message?: string }[]} errors whatever was thrown, so maybe without a message
   */
  onTestRunEnd(_modules, errors) {
    const path = process.env[outsideErrorsVariable];
    if (path !== undefined) {
      writeFileSync(path, JSON.stringify(errors.map(({ message }) => `${message}`)));
    }
  }
}
