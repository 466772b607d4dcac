/** What a bundle would run, in the terms of the form that adds servers: questions, and where their answers go. */
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import {
  type InstallField,
  isMoreThanText,
  moreThanText,
  type Piece,
  splitText,
} from '../registry/installFields.js';
import type { ArgumentPieces, InstallWay } from '../registry/installWay.js';
import type { BundleManifest, BundleOption } from './manifest.js';

interface BundlePlaces {
  /** Where it is unpacked, or would be. Absolute. */
  readonly folder: string;
  readonly homeDir: string;
  readonly platform: NodeJS.Platform;
}

/** Id of the field that asks for an option. */
export function optionField(key: string): string {
  return `option-${key}`;
}

export function bundleWay(manifest: BundleManifest, places: BundlePlaces): InstallWay {
  const { command, args, env, options, entryPoint } = manifest;
  const asked = new Map<string, InstallField>();
  const pieces = (text: string) => piecesIn(text, { manifest, places, asked });
  const own = (text: string) =>
    text === entryPoint ? join(places.folder, ...text.split('/')) : undefined;
  const words = args.map((arg) => {
    const path = own(arg);
    return path === undefined ? pieces(arg) : [{ text: path }];
  });
  const variables = Object.entries(env).map(([name, value]) => ({ name, value: pieces(value) }));
  const program = own(command) ?? filled(command, places);
  const many = severalIn(
    options,
    words,
    variables.flatMap(({ value }) => value),
  );
  const fields = [...asked.values()].map((field) => ({ ...field, isRepeated: many.has(field.id) }));
  const texts = [...words.flat(), ...variables.flatMap(({ value }) => value)].flatMap((one) =>
    'text' in one ? one.text : [],
  );
  return {
    id: 'bundle',
    title: l10n.t('Bundle {0} {1}', manifest.name, manifest.version),
    blocker: blockerFor(manifest, places, [
      program,
      ...texts,
      ...fields.flatMap((field) => [field.default ?? '', field.label]),
    ]),
    fields,
    launch: { kind: 'stdio', command: program, args: argumentsIn(words, fields), env: variables },
    hasOpenAddress: false,
  };
}

interface Pieces {
  readonly manifest: BundleManifest;
  readonly places: BundlePlaces;
  readonly asked: Map<string, InstallField>;
}

function piecesIn(text: string, { manifest, places, asked }: Pieces): readonly Piece[] {
  const pieces = splitText(text, /\$\{user_config\.([\w.-]{1,100})\}/g, (key) => {
    const option = manifest.options.get(key);
    const field = optionField(key);
    if (option) {
      asked.set(key, fieldFor(field, option, places));
    }
    return option && { field };
  });
  return pieces.map((piece) => ('text' in piece ? { text: filled(piece.text, places) } : piece));
}

function fieldFor(id: string, option: BundleOption, places: BundlePlaces): InstallField {
  const { type, title, description, isRequired, isSecret, defaults, minimum, maximum } = option;
  return {
    id,
    label: title,
    help: description,
    isRequired,
    isSecret,
    format: type === 'directory' || type === 'file' ? 'filepath' : type,
    choices: [],
    default:
      defaults.length === 0 || isSecret
        ? undefined
        : defaults.map((one) => filled(one, places)).join('\n'),
    placeholder: undefined,
    isRepeated: false,
    minimum,
    maximum,
  };
}

/** Options of several values that stand alone as an argument, wherever they are used. */
function severalIn(
  options: BundleManifest['options'],
  words: readonly (readonly Piece[])[],
  others: readonly Piece[],
): ReadonlySet<string> {
  const inside = [...words.filter(({ length }) => length > 1).flat(), ...others];
  const isInside = (key: string) => inside.some((one) => 'field' in one && one.field === key);
  return new Set(
    [...options].flatMap(([key, { isMultiple }]) =>
      isMultiple && !isInside(optionField(key)) ? [optionField(key)] : [],
    ),
  );
}

/** A flag before a value that may be missing goes with it. */
function argumentsIn(
  words: readonly (readonly Piece[])[],
  fields: readonly InstallField[],
): readonly ArgumentPieces[] {
  const args: ArgumentPieces[] = [];
  for (const value of words) {
    const [only] = value;
    const field =
      value.length === 1 && only && 'field' in only
        ? fields.find(({ id }) => id === only.field)
        : undefined;
    const flag = flagIn(args.at(-1));
    if (
      field &&
      flag !== undefined &&
      !field.isRequired &&
      !field.isRepeated &&
      field.format !== 'boolean'
    ) {
      args.splice(-1, 1, { flag, value });
    } else {
      args.push({ value, isRepeated: field?.isRepeated === true });
    }
  }
  return args;
}

function flagIn(arg: ArgumentPieces | undefined): string | undefined {
  const [only] = arg?.flag === undefined ? (arg?.value ?? []) : [];
  return arg?.value.length === 1 && only && 'text' in only && /^--?[A-Za-z]/.test(only.text)
    ? only.text
    : undefined;
}

/** With the places that bundles may name. */
function filled(text: string, { folder, homeDir, platform }: BundlePlaces): string {
  const separator = platform === 'win32' ? '\\' : '/';
  const places: Readonly<Record<string, string>> = {
    __dirname: folder,
    HOME: homeDir,
    DESKTOP: join(homeDir, 'Desktop'),
    DOCUMENTS: join(homeDir, 'Documents'),
    DOWNLOADS: join(homeDir, 'Downloads'),
    pathSeparator: separator,
    '/': separator,
  };
  return text.replace(/\$\{([\w/]+)\}/g, (whole, name: string) =>
    Object.hasOwn(places, name) ? (places[name] ?? whole) : whole,
  );
}

function blockerFor(
  { platforms }: BundleManifest,
  { platform, folder }: BundlePlaces,
  texts: readonly string[],
): string | undefined {
  if (platforms && !platforms.includes(platform)) {
    return l10n.t('It runs on {0} only, and this is {1}.', platforms.join(', '), platform);
  }
  // what its own folder is called is nobody's doing
  const odd = texts
    .map((text) => text.replaceAll(folder, ''))
    .find((text) => isMoreThanText(text.replaceAll('\n', '')) || /^\s*!/.test(text));
  return odd === undefined ? undefined : moreThanText(odd);
}
