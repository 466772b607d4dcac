import { isJsonObject } from '../../base/json.js';
import type {
  AddedServer,
  InstallParams,
  InstallPreview,
  RegistryDetails,
  RegistryPlace,
  RegistryRow,
  RegistryWay,
} from '../../protocol/registry/registryProtocol.js';

export interface RegistryPageState {
  /** Of the registry; `undefined` until the extension has answered. */
  readonly address: string | undefined;
  readonly places: readonly RegistryPlace[];
  readonly list: ListState;
  readonly open: OpenServer | undefined;
  /** Why the server that was asked for is not shown. */
  readonly openError: string | undefined;
}

export interface ListState {
  readonly text: string;
  readonly rows: readonly RegistryRow[];
  readonly cursor: string | undefined;
  readonly isBusy: boolean;
  readonly error: string | undefined;
}

export interface OpenServer {
  readonly details: RegistryDetails;
  /** In the registry; `undefined` for what a link has brought. */
  readonly registryName: string | undefined;
  readonly way: string;
  readonly place: string;
  readonly name: string;
  readonly answers: Readonly<Record<string, string>>;
  /** Fields whose troubles are shown: those that the user has left, and all after a try to add. */
  readonly left: ReadonlySet<string>;
  readonly preview: InstallPreview | undefined;
  readonly isAdding: boolean;
  readonly error: string | undefined;
  readonly added: AddedServer | undefined;
}

export const firstState: RegistryPageState = {
  address: undefined,
  places: [],
  list: { text: '', rows: [], cursor: undefined, isBusy: false, error: undefined },
  open: undefined,
  openError: undefined,
};

export function openServer(
  details: RegistryDetails,
  places: readonly RegistryPlace[],
  registryName?: string,
): OpenServer {
  const usable = details.ways.find(({ blocker }) => blocker === undefined);
  const way = usable ?? details.ways[0];
  return {
    details,
    registryName,
    way: way?.id ?? '',
    place: places[0]?.id ?? '',
    name: details.suggestedName,
    answers: initialAnswers(way),
    left: new Set(),
    preview: undefined,
    isAdding: false,
    error: undefined,
    added: undefined,
  };
}

export function initialAnswers(way: RegistryWay | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries((way?.fields ?? []).map(({ id, initial }) => [id, initial]));
}

export function wayOf({ details, way }: OpenServer): RegistryWay | undefined {
  return details.ways.find(({ id }) => id === way);
}

export function installParams({ details, way, place, name, answers }: OpenServer): InstallParams {
  return { id: details.id, way, place, name, answers };
}

/** What the page keeps while it is hidden: no secrets. */
export interface SavedRegistryPage {
  readonly text: string;
  readonly name?: string;
  readonly way?: string;
  readonly place?: string;
  readonly serverName?: string;
  readonly answers?: Readonly<Record<string, string>>;
}

export function toSavedRegistryPage({ list, open }: RegistryPageState): SavedRegistryPage {
  if (open?.registryName === undefined || open.added) {
    return { text: list.text };
  }
  const secrets = new Set(
    wayOf(open)
      ?.fields.filter(({ isSecret }) => isSecret)
      .map(({ id }) => id),
  );
  const answers = Object.entries(open.answers).filter(([id]) => !secrets.has(id));
  return {
    text: list.text,
    name: open.registryName,
    way: open.way,
    place: open.place,
    serverName: open.name,
    answers: Object.fromEntries(answers),
  };
}

/** Whatever it is, it was written by a page of ours, perhaps an older one. */
export function fromSavedRegistryPage(saved: unknown): SavedRegistryPage {
  if (!isJsonObject(saved)) {
    return { text: '' };
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const answers = Object.entries(isJsonObject(saved.answers) ? saved.answers : {});
  const name = text(saved.name);
  const way = text(saved.way);
  const place = text(saved.place);
  const serverName = text(saved.serverName);
  return {
    text: text(saved.text) ?? '',
    name,
    way,
    place,
    serverName,
    answers: Object.fromEntries(
      answers.flatMap(([id, value]) => (typeof value === 'string' ? [[id, value]] : [])),
    ),
  };
}
