/** What is done with code of an answer, and with the names of files in it. */
import type { MessageMap } from './messages.js';

export interface CodeRequests extends MessageMap {
  /** Puts code in the place of the selection of the last text editor, or opens it in a new one. */
  useCode: {
    params: {
      text: string;
      /** As the answer calls its language; empty when it does not. */
      language: string;
      use: (typeof codeUses)[number];
    };
    result: undefined;
  };
  /** Opens a file of the conversation's folder, as an answer names it. `line`: from 1. */
  openFile: { params: { path: string; line?: number }; result: undefined };
}

export const codeUses = ['insert', 'open'] as const;
