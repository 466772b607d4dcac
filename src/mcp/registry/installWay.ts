/** How an entry of the registry can be used here: as a package that a runner starts, or at an address. */
import * as l10n from '@vscode/l10n';
import { addressReach } from '../../config/launch/addressReach.js';
import { holdsCredentials } from '../../config/launch/plainWords.js';
import { type BundleSource, bundleSource } from './bundleSource.js';
import {
  addressWanted,
  type InstallField,
  isMoreThanText,
  moreThanText,
  type Piece,
  piecesOf,
} from './installFields.js';
import type {
  RegistryArgument,
  RegistryInput,
  RegistryPackage,
  RegistryRemote,
  RegistryServer,
} from './serverJson.js';

export interface InstallWay {
  /** Unique among the ways of a server. */
  readonly id: string;
  /** Such as `npm: @example/server` or the address. */
  readonly title: string;
  /** Why it cannot be added from here, with what can be done; `undefined` where it can. */
  readonly blocker: string | undefined;
  /** What can be fetched and looked into, which is a way of its own then. */
  readonly bundle?: BundleSource | undefined;
  readonly fields: readonly InstallField[];
  readonly launch: LaunchPieces;
  /** Variables of the entry decide whom it talks to. */
  readonly hasOpenAddress: boolean;
}

type LaunchPieces =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly ArgumentPieces[];
      readonly env: readonly NamedPieces[];
    }
  | {
      readonly kind: 'http';
      readonly type: 'http' | 'sse';
      readonly url: readonly Piece[];
      readonly headers: readonly NamedPieces[];
    };

export interface ArgumentPieces {
  /** Stands before the value; `undefined`: the argument is told by its place. */
  readonly flag?: string | undefined;
  /** None: the flag alone. */
  readonly value: readonly Piece[];
  readonly isRepeated?: boolean;
  /** Left out unless this variable has a value. */
  readonly onlyWith?: string;
}

export interface NamedPieces {
  readonly name: string;
  readonly value: readonly Piece[];
}

/** Where the official registry lets packages come from. */
const usualPlaces: Readonly<Record<string, readonly string[]>> = {
  npm: ['registry.npmjs.org'],
  pypi: ['pypi.org'],
  nuget: ['api.nuget.org'],
};

/** What runners would take for something else than a name, such as an address or a folder, is none. */
const packageNames: Readonly<Record<string, RegExp>> = {
  npm: /^(@[\w.-]+\/)?\w[\w.-]*$/,
  pypi: /^\w[\w.-]*$/,
  nuget: /^\w[\w.-]*$/,
  oci: /^\w[\w.-]*(:\d+)?(\/\w[\w.-]*)*(:[\w.-]+)?(@\w+:\w+)?$/,
};

/** In the order of the entry: packages, then addresses. */
export function installWays(
  { packages, remotes }: Pick<RegistryServer, 'packages' | 'remotes'>,
  isOfficial: boolean,
): readonly InstallWay[] {
  return [
    ...packages.map((one, index) => packageWay(one, `package-${index}`, isOfficial)),
    ...remotes.map((one, index) => remoteWay(one, `remote-${index}`, isOfficial)),
  ];
}

function packageWay(one: RegistryPackage, id: string, isOfficial: boolean): InstallWay {
  const fields: InstallField[] = [];
  const runtime = one.runtimeArguments.map((arg, index) =>
    argumentPieces(arg, `${id}-runtime-${index}`, fields),
  );
  const own = one.packageArguments.map((arg, index) =>
    argumentPieces(arg, `${id}-argument-${index}`, fields),
  );
  const env = one.environment.map((input) => ({
    name: input.name,
    value: piecesOf(input, { id: `${id}-env-${input.name}`, label: input.name }, fields),
  }));
  const runner = runnerOf(one, { runtime, own, env });
  const launch: LaunchPieces = { kind: 'stdio', command: runner?.command ?? '', args: [], env };
  const bundle =
    one.registryType === 'mcpb'
      ? bundleSource(one.identifier, one.fileSha256, isOfficial)
      : undefined;
  return {
    id,
    title: `${one.registryType}: ${bundle?.url ?? specOf(one)}`,
    bundle,
    blocker:
      (bundle &&
        l10n.t(
          'It is a bundle at {0}. Its download is checked and shown first.',
          new URL(bundle.url).host,
        )) ??
      packageBlocker(one, isOfficial) ??
      oddPart(fields, [word(one.registryBaseUrl ?? ''), ...runtime, ...own, ...env]),
    fields,
    launch: runner ? { ...launch, args: runner.args } : launch,
    hasOpenAddress: false,
  };
}

interface PackageParts {
  readonly runtime: readonly ArgumentPieces[];
  readonly own: readonly ArgumentPieces[];
  readonly env: readonly NamedPieces[];
}

interface Runner {
  readonly command: string;
  readonly args: readonly ArgumentPieces[];
}

/** Pinned to the version of the entry. `undefined` for kinds that nothing runs. */
function runnerOf(one: RegistryPackage, { runtime, own, env }: PackageParts): Runner | undefined {
  const base = one.registryBaseUrl;
  const isUsual = base === undefined || isUsualPlace(one.registryType, base);
  const from = (flag: string) => (isUsual ? [] : [word(flag), word(base)]);
  switch (one.registryType) {
    case 'npm':
      return {
        command: 'npx',
        args: [word('-y'), ...runtime, ...from('--registry'), word(specOf(one)), ...own],
      };
    case 'pypi': {
      // then the first of its own arguments is the command of the package
      const isNamed = runtime.some(({ flag }) => flag === '--from');
      const spec = isNamed ? [] : [word(specOf(one))];
      return { command: 'uvx', args: [...from('--index-url'), ...runtime, ...spec, ...own] };
    }
    case 'oci': {
      const isGiven = ({ flag, value }: ArgumentPieces) =>
        ['-i', '--interactive', '--rm', '--init'].includes(flag ?? onlyText(value) ?? '') &&
        (flag === undefined || value.length === 0);
      const names = env.map(({ name }) => ({ ...word(name), flag: '-e', onlyWith: name }));
      const given = runtime.filter((arg) => !isGiven(arg));
      return {
        command: one.runtimeHint === 'podman' ? 'podman' : 'docker',
        args: [
          ...['run', '-i', '--rm', '--init'].map(word),
          ...given,
          ...names,
          word(specOf(one)),
          ...own,
        ],
      };
    }
    case 'nuget':
      return {
        command: 'dnx',
        args: [
          word(specOf(one)),
          word('--yes'),
          ...from('--source'),
          ...runtime,
          ...(own.length > 0 ? [word('--'), ...own] : []),
        ],
      };
    default:
      return undefined;
  }
}

/** Name and version as the runner of its kind takes them. */
function specOf({ registryType, identifier, version }: RegistryPackage): string {
  if (version === undefined) {
    return identifier;
  }
  if (registryType === 'oci') {
    // a tag or digest may be in the name, behind the port of its host
    const isTagged = /[:@]/.test(identifier.slice(identifier.lastIndexOf('/') + 1));
    return isTagged ? identifier : `${identifier}:${version}`;
  }
  return `${identifier}@${version}`;
}

function isUsualPlace(type: string, base: string): boolean {
  const host = URL.canParse(base) ? new URL(base).hostname : '';
  return Object.hasOwn(usualPlaces, type) && usualPlaces[type]?.includes(host) === true;
}

function packageBlocker(one: RegistryPackage, isOfficial: boolean): string | undefined {
  const {
    registryType: type,
    registryBaseUrl: base,
    identifier,
    transport,
    version,
    environment,
  } = one;
  const steps: Readonly<Record<string, string>> = {
    cargo: installFirst('cargo install'),
    go: installFirst('go install'),
    mcpb: l10n.t('Download the bundle, then open it on this page.'),
  };
  const names = Object.hasOwn(packageNames, type) ? packageNames[type] : undefined;
  if (!names) {
    return Object.hasOwn(steps, type) ? steps[type] : unknownKind(type);
  }
  if (!names.test(identifier)) {
    return oddName(identifier);
  }
  const badName = environment.find(({ name }) => !/^[A-Za-z_][\w.-]*$/.test(name));
  if (badName) {
    return oddName(badName.name);
  }
  if (version !== undefined && !/^[\w.+!-]{1,120}$/.test(version)) {
    return oddName(version);
  }
  if (transport !== 'stdio') {
    return l10n.t('It is a server that you start by yourself; then add its address.');
  }
  if (type === 'oci' || base === undefined || isUsualPlace(type, base)) {
    return undefined;
  }
  const isAddress = URL.canParse(base) && new URL(base).protocol === 'https:';
  return isOfficial || !isAddress
    ? l10n.t('Its package comes from {0}, which is not where such packages are kept.', base)
    : undefined;
}

function installFirst(command: string): string {
  return l10n.t('Install it with "{0}", then add the command that it brings.', command);
}

function unknownKind(kind: string): string {
  return l10n.t('Pi MCP knows no servers of the kind "{0}".', kind);
}

function oddName(text: string): string {
  return l10n.t('Its entry holds "{0}", which is no name or version for that place.', text);
}

function remoteWay(one: RegistryRemote, id: string, isOfficial: boolean): InstallWay {
  const fields: InstallField[] = [];
  const template: RegistryInput = { ...noInput, value: one.url, variables: one.variables };
  const url = piecesOf(template, { id: `${id}-url`, label: l10n.t('Address') }, fields);
  const headers = one.headers.map((input) => ({
    name: input.name,
    value: piecesOf(input, { id: `${id}-header-${input.name}`, label: input.name }, fields),
  }));
  const type = one.type === 'sse' ? 'sse' : 'http';
  const open = openFields(url);
  return {
    id,
    title: textWith(url, (name) => `{${fields.find((field) => field.id === name)?.label ?? ''}}`),
    blocker:
      remoteBlocker(one, isOfficial) ??
      addressBlocker(
        url,
        fields.filter((field) => open.has(field.id)),
      ) ??
      oddPart(fields, [{ value: url }, ...headers]),
    fields: fields.map((field) => withAddress(field, open)),
    launch: { kind: 'http', type, url, headers },
    hasOpenAddress: open.size > 0 || /^[^:]*\{|^[a-z]+:\/*[^/?#\\]*\{/i.test(one.url),
  };
}

function textWith(pieces: readonly Piece[], answer: (field: string) => string): string {
  return pieces.map((piece) => ('text' in piece ? piece.text : answer(piece.field))).join('');
}

/** What stands in front of the path of the address, and whether it is its beginning. */
function openFields(url: readonly Piece[]): ReadonlyMap</* field */ string, 'whole' | 'host'> {
  const open = new Map<string, 'whole' | 'host'>();
  let before = '';
  for (const piece of url) {
    if (/^[a-z][a-z\d+.-]*:[\\/]*[^\\/?#]+[\\/?#]/i.test(before)) {
      break;
    }
    if ('field' in piece) {
      open.set(piece.field, before === '' ? 'whole' : 'host');
    }
    before += 'text' in piece ? piece.text : 'x';
  }
  return open;
}

function withAddress(field: InstallField, open: ReturnType<typeof openFields>): InstallField {
  const address = open.get(field.id);
  return address === undefined ? field : { ...field, address };
}

function addressBlocker(url: readonly Piece[], open: readonly InstallField[]) {
  if (holdsCredentials(textWith(url, () => 'x'))) {
    return addressWanted();
  }
  return open.some(({ isSecret }) => isSecret)
    ? l10n.t('A secret of its entry decides where its address leads.')
    : undefined;
}

function remoteBlocker({ type, url, headers }: RegistryRemote, isOfficial: boolean) {
  if (!['streamable-http', 'http', 'sse'].includes(type)) {
    return unknownKind(type);
  }
  const badName = headers.find(({ name }) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (badName) {
    return oddName(badName.name);
  }
  // an address that begins with a variable is checked when it is filled in
  if (url.startsWith('{') || url.startsWith('https://')) {
    return undefined;
  }
  const isNear = url.startsWith('http://') && addressReach(url) === 'loopback';
  return isNear && !isOfficial ? undefined : addressWanted();
}

/** What would run something, or read a variable or secret of the user, when it stands in a file. */
function oddPart(
  fields: readonly InstallField[],
  values: readonly (ArgumentPieces | NamedPieces)[],
): string | undefined {
  const isCommand = (text: string) => /^\s*!/.test(text);
  const given = values.flatMap(({ value }) =>
    value.flatMap((one) => ('text' in one ? one.text : [])),
  );
  const offered = fields.flatMap((field) => [field.default ?? '', ...field.choices]);
  const names = values.map((one) => ('name' in one ? one.name : (one.flag ?? '')));
  const starts = values.flatMap(({ value: [first] }) =>
    first && 'text' in first ? first.text : [],
  );
  const withUser = given.filter((text) => /^https?:/i.test(text) && holdsCredentials(text));
  const [odd] = [
    ...withUser,
    ...[...given, ...offered, ...names].filter(isMoreThanText),
    ...[...starts, ...offered].filter(isCommand),
  ];
  return odd === undefined ? undefined : moreThanText(odd);
}

function argumentPieces(arg: RegistryArgument, id: string, fields: InstallField[]): ArgumentPieces {
  const { name: flag, isRepeated, valueHint } = arg;
  const label = flag ?? valueHint ?? l10n.t('Argument');
  const value = piecesOf(arg, { id, label, isRepeated }, fields);
  return { flag, value, isRepeated };
}

function word(text: string): ArgumentPieces {
  return { value: [{ text }] };
}

function onlyText(value: readonly Piece[]): string | undefined {
  const [first] = value;
  return value.length === 1 && first && 'text' in first ? first.text : undefined;
}

const noInput: RegistryInput = {
  description: '',
  isRequired: true,
  isSecret: false,
  format: 'string',
  value: undefined,
  default: undefined,
  placeholder: undefined,
  choices: [],
  variables: {},
};
