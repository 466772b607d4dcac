/**
 * What Doctor reports, and the messages between its page and the extension. Plain JSON. Every text is redacted, and is
 * data: servers, repositories and processes of others have a say in it.
 */
import type { MessageMap } from '../messages.js';

export interface DoctorReport {
  /** Nothing of the workspace may run. */
  readonly isRestricted: boolean;
  readonly versions: readonly DoctorFact[];
  /** PATH, shell, and where common programs are. */
  readonly machine: readonly DoctorFact[];
  /** What is wrong with whole files. */
  readonly files: readonly { readonly path: string; readonly message: string }[];
  /** Those that fail or wait for the user first. */
  readonly servers: readonly DoctorServer[];
  readonly doubleStarts: readonly DoctorDoubleStart[];
  /** Default: nobody keeps record of processes, or knows who runs. */
  readonly leftovers?: readonly DoctorLeftover[];
  /** What was counted for each tool; empty when that is off. */
  readonly calls: readonly DoctorFact[];
}

export interface DoctorFact {
  readonly label: string;
  readonly text: string;
}

export interface DoctorServer {
  readonly id: string;
  readonly name: string;
  /** Codicon, reason and sentence of its state. */
  readonly icon: string;
  readonly reason: string;
  readonly sentence: string;
  /** It fails, or waits for the user. */
  readonly needsUser: boolean;
  /** Stable code of what is wrong. */
  readonly code?: string;
  /** What to do. */
  readonly next?: string;
  /** What is configured and was tried. */
  readonly facts: readonly DoctorFact[];
  /** Sentences about its entry and what it offers. */
  readonly notes: readonly string[];
  /** Lines that show what is wrong. */
  readonly evidence: readonly string[];
}

/** An entry of ours that another program starts as well, so that it runs twice. */
export interface DoctorDoubleStart {
  readonly server: string;
  /** As its maker writes it. */
  readonly client: string;
  /** `would`: it has the same entry; `has`: a process of it was seen. */
  readonly kind: 'would' | 'has';
  readonly text: string;
}

export interface DoctorLeftover {
  readonly key: string;
  /** Its command line. */
  readonly command: string;
  readonly facts: readonly DoctorFact[];
}

/** What became of leftovers that the user wanted to end. */
export interface DoctorEnding {
  readonly text: string;
  readonly isWarning: boolean;
}

export interface DoctorRequests extends MessageMap {
  /** Looks at everything anew; starts nothing. */
  look: { params: undefined; result: DoctorReport };
  /** Puts the report as it is shown on the clipboard. */
  copy: { params: undefined; result: undefined };
  /** Asks the user, and ends what the keys of the report that is shown still stand for. */
  endLeftovers: { params: { keys: readonly string[] }; result: DoctorEnding | undefined };
  /** Shows the page of a server that is in the report. */
  openServer: { params: { id: string }; result: undefined };
}

export interface DoctorEvents extends MessageMap {
  /** Something has changed since. */
  report: { params: DoctorReport; result: undefined };
}
