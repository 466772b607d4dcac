/**
 * Messages between the page that adds servers and the extension. Plain JSON. The page is less trusted than the
 * extension: it names offers, ways and places that it was shown, and sends answers, never an entry.
 */
import type { JsonObject } from '../../base/json.js';
import type { MessageMap } from '../messages.js';

interface AddStart {
  /** Of the registry, without its scheme. */
  readonly address: string;
  readonly places: readonly AddPlace[];
  /** Other programs that have servers. */
  readonly imports: readonly ImportChoice[];
  /** In words; `undefined`: the clipboard describes no server. */
  readonly clipboard?: string;
  /** What a link has brought. */
  readonly shown?: AddReading;
}

export interface ImportChoice {
  readonly source: string;
  readonly label: string;
  readonly count: number;
}

/** What it is that the box holds. */
export type AddReading =
  | { readonly kind: 'empty' }
  | { readonly kind: 'search'; readonly text: string }
  | {
      readonly kind: 'servers';
      /** In words. */
      readonly what: string;
      /** It could be words to search for, too. */
      readonly mayBeWords: boolean;
      readonly cards: readonly OfferDetails[];
      /** The text holds no value that could be a secret. */
      readonly isOpen: boolean;
      /** Of a URL, which can be asked what servers it lists. Default: nobody can. */
      readonly host?: string | undefined;
    }
  | {
      readonly kind: 'wrong';
      readonly message: string;
      readonly remedy: string;
      /** Offset in the text. */
      readonly at?: number | undefined;
    };

/** A file that servers can be put into. */
export interface AddPlace {
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

/** One server as a card. */
export interface OfferDetails {
  /** Names what is shown, in the requests about it. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Sentences about version, age and publisher. */
  readonly facts: readonly string[];
  readonly cautions: readonly string[];
  readonly links: readonly { readonly id: 'repository' | 'website'; readonly label: string }[];
  readonly ways: readonly OfferWay[];
  readonly suggestedName: string;
}

export interface OfferWay {
  readonly id: string;
  readonly title: string;
  readonly blocker?: string;
  /** Can be fetched, and is shown as a server then. Default false. */
  readonly isBundle?: boolean | undefined;
  /** JSON Schema of what it asks for. */
  readonly schema: JsonObject;
  /** Fields whose answers are stored securely, unless the user wants them in the file. */
  readonly secrets: readonly string[];
}

/** What the user has chosen and entered. Secrets go one way: from the page to the extension. */
export interface InstallParams {
  readonly id: string;
  readonly way: string;
  readonly place: string;
  readonly name: string;
  readonly answers: Readonly<Record<string, string>>;
  /** Fields whose secrets are to stand in the file. */
  readonly plain: readonly string[];
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
}

export interface AddRequests extends MessageMap {
  ready: { params: undefined; result: AddStart };
  /** @param wish what the user says that plain words are */
  read: { params: { text: string; wish?: 'command' | 'search' }; result: AddReading };
  /** The user wants it in the box. */
  readClipboard: { params: undefined; result: string };
  import: { params: { source: string }; result: AddReading };
  /** Asks for the files; `undefined`: for none. */
  openBundle: { params: undefined; result: AddReading | undefined };
  /** Fetches the bundle of a way and shows what it holds. Ends the search before. */
  openPackage: { params: { id: string; way: string }; result: AddReading };
  /** Ends the search before. Rejects with a sentence. */
  search: { params: { text: string; cursor?: string }; result: RegistryRows };
  /** Asks the host of the URL in the box which servers it lists; `wrong`: what came of it instead. Ends the search before. */
  discover: { params: { text: string }; result: AddReading };
  open: { params: { name: string }; result: OfferDetails };
  preview: { params: InstallParams; result: InstallPreview };
  /** Writes the entry; starts nothing. Rejects with a sentence. */
  add: { params: InstallParams; result: AddedServer };
  /** Shows the page of the added server, and starts it after the consent that it needs. @param isLast nothing is left to add */
  show: { params: { id: string; isStarted: boolean; isLast: boolean }; result: undefined };
  openForm: { params: { place: string }; result: undefined };
  openLink: { params: { id: string; link: string }; result: undefined };
  openSetting: { params: undefined; result: undefined };
}

export interface AddEvents extends MessageMap {
  shown: { params: AddReading; result: undefined };
  places: { params: readonly AddPlace[]; result: undefined };
}
