/**
 * Messages between the page that adds servers from the registry and the extension. Plain JSON. The page is less trusted
 * than the extension: it names entries, ways and places that it was shown, and sends answers, never an entry.
 */
import type { MessageMap } from '../messages.js';

interface RegistryStart {
  /** Of the registry, without its scheme. */
  readonly address: string;
  readonly places: readonly RegistryPlace[];
  /** A server that a link has brought. */
  readonly linked?: RegistryDetails;
}

/** A file that servers can be put into. */
export interface RegistryPlace {
  readonly id: string;
  readonly label: string;
  readonly path: string;
}

export interface RegistryRow {
  /** In the registry. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly isDeprecated: boolean;
  /** `npm`, `pypi`, `remote` and the like. */
  readonly kinds: readonly string[];
  /** Under which names it is configured already. */
  readonly usedAs: readonly string[];
}

export interface RegistryRows {
  readonly rows: readonly RegistryRow[];
  readonly cursor?: string;
}

export interface RegistryDetails {
  /** Names what is shown, in the requests about it. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Sentences about version, age and publisher. */
  readonly facts: readonly string[];
  readonly cautions: readonly string[];
  readonly links: readonly { readonly id: 'repository' | 'website'; readonly label: string }[];
  readonly ways: readonly RegistryWay[];
  readonly suggestedName: string;
}

export interface RegistryWay {
  readonly id: string;
  readonly title: string;
  readonly blocker?: string;
  readonly fields: readonly RegistryField[];
}

export interface RegistryField {
  readonly id: string;
  readonly label: string;
  readonly help: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly control: 'text' | 'lines' | 'number' | 'check' | 'choice';
  readonly choices: readonly string[];
  readonly initial: string;
  readonly placeholder: string;
}

/** What the user has chosen and entered. Secrets go one way: from the page to the extension. */
export interface InstallParams {
  readonly id: string;
  readonly way: string;
  readonly place: string;
  readonly name: string;
  readonly answers: Readonly<Record<string, string>>;
}

export interface InstallPreview {
  readonly troubles: readonly FieldTroubleView[];
  /** What the entry would do, in the words of the question about consent; empty until the answers are complete. */
  readonly lines: readonly { readonly label: string; readonly text: string }[];
  readonly cautions: readonly string[];
  /** The entry as it would stand in the file. */
  readonly text: string;
}

export interface FieldTroubleView {
  /** `name`: the name of the server. */
  readonly field: string;
  readonly message: string;
}

export interface AddedServer {
  readonly id: string;
  readonly name: string;
  readonly path: string;
  /** It waits for consent, as everything in the files of a folder does. */
  readonly needsConsent: boolean;
}

export interface RegistryRequests extends MessageMap {
  ready: { params: undefined; result: RegistryStart };
  /** Ends the search before. Rejects with a sentence. */
  search: { params: { text: string; cursor?: string }; result: RegistryRows };
  open: { params: { name: string }; result: RegistryDetails };
  preview: { params: InstallParams; result: InstallPreview };
  /** Writes the entry; starts nothing. Rejects with a sentence. */
  add: { params: InstallParams; result: AddedServer };
  openLink: { params: { id: string; link: string }; result: undefined };
  /** Shows the added server in the tree. */
  reveal: { params: { id: string }; result: undefined };
  /** Connects it, after the consent that it needs. */
  test: { params: { id: string }; result: undefined };
  openFile: { params: { path: string }; result: undefined };
  openSetting: { params: undefined; result: undefined };
}

export interface RegistryEvents extends MessageMap {
  linked: { params: RegistryDetails; result: undefined };
  places: { params: readonly RegistryPlace[]; result: undefined };
}
