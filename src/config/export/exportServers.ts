/** Servers in the words of another client, with everything named that does not come along. Nothing is resolved. */
import * as l10n from '@vscode/l10n';
import { definedValues, type JsonObject, mapValues } from '../../base/json.js';
import { quotedName } from '../../base/text/nameToken.js';
import type { McpServerLaunch } from '../definition.js';
import {
  commandInValue,
  parseTemplate,
  type TemplatePart,
  variablesIn,
} from '../launch/variables.js';
import { launchOfEntry } from '../parse/launchOfEntry.js';
import { findField } from '../schema/fields.js';
import { redactedSentinel } from '../secrets/sentinel.js';
import {
  type ClientFormat,
  clientFormats,
  type ExportClient,
  type PortableLaunch,
  writeServers,
} from './clientFormats.js';

/** A server as its file holds it, its secrets hidden by the sentinel. */
export interface ExportedServer {
  readonly name: string;
  readonly entry: JsonObject;
  /** Declarations of the inputs that the file has. */
  readonly inputs: readonly JsonObject[];
}

export interface ExportResult {
  readonly text: string;
  readonly language: ClientFormat['language'];
  /** What is different there, in the order of the servers. */
  readonly losses: readonly ExportLoss[];
}

interface ExportLoss {
  readonly server: string;
  /** Such as `cwd` or `env.TOKEN`. */
  readonly field: string;
  /** A sentence: what became of it, and what to do. */
  readonly text: string;
}

/** Servers whose entry cannot be used are left out, and named. */
export function exportServers(
  servers: readonly ExportedServer[],
  client: ExportClient,
): ExportResult {
  const format = clientFormats[client];
  const written = servers.map((server) => new ServerExport(server, format).result);
  const entries = written.flatMap(({ name, entry }) => (entry ? [[name, entry] as const] : []));
  const inputs = new Map(
    written.flatMap((one) => one.inputs.map((input) => [String(input.id), input] as const)),
  );
  return {
    text: writeServers(format, Object.fromEntries(entries), [...inputs.values()]),
    language: format.language,
    losses: written.flatMap(({ losses }) => losses),
  };
}

/** What is different there, a line each. */
export function lossLines({ losses }: ExportResult, servers: number): readonly string[] {
  return losses.map(({ server, field, text }) =>
    servers > 1
      ? l10n.t('{0}, {1}: {2}', quotedName(server), field, text)
      : l10n.t('{0}: {1}', field, text),
  );
}

/** Parts of the launch; everything else is an option. */
const launchFields: ReadonlySet<string> = new Set([
  ...['type', 'transport', 'command', 'args', 'env', 'environment', 'url', 'headers'],
  ...['bearerToken', 'bearerTokenEnv', 'cwd', 'envFile'],
]);

class ServerExport {
  private readonly losses: ExportLoss[] = [];
  private readonly used = new Set</* input id */ string>();

  constructor(
    private readonly server: ExportedServer,
    private readonly format: ClientFormat,
  ) {}

  get result() {
    const { name, inputs } = this.server;
    const launch = launchOfEntry(name, this.server.entry);
    if (!launch) {
      this.lose('command', l10n.t('The entry cannot be used.'));
      return { name, entry: undefined, inputs: [], losses: this.losses };
    }
    const portable = { name, launch: this.portable(launch), options: this.options() };
    const entry = this.format.entryOf(portable);
    const declared = inputs.filter(({ id }) => this.used.has(String(id)));
    return { name, entry, inputs: declared, losses: this.losses };
  }

  private portable(launch: McpServerLaunch): PortableLaunch {
    if (launch.kind === 'stdio') {
      const { cwd, envFile } = launch;
      return {
        kind: 'stdio',
        command: this.text('command', launch.command) ?? launch.command,
        args: launch.args.map((arg, index) => this.text(`args[${index}]`, arg) ?? '<…>'),
        env: this.map('env', launch.env),
        ...this.known('cwd', cwd),
        ...this.known('envFile', envFile),
      };
    }
    const { bearerToken, bearerTokenEnv, transport, url } = launch;
    if (transport === 'sse' && this.format.hasEvents === false) {
      this.lose('type', l10n.t('The client does not speak to servers that send events alone.'));
    }
    const token =
      bearerToken ?? (bearerTokenEnv === undefined ? undefined : `\${${bearerTokenEnv}}`);
    const headers = {
      ...launch.headers,
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    };
    return {
      kind: 'http',
      url: this.text('url', url) ?? url,
      isSse: transport === 'sse',
      headers: this.map('headers', headers),
    };
  }

  /** A field of the launch that not every client has. */
  private known(field: 'cwd' | 'envFile', value: string | undefined): JsonObject {
    if (value === undefined) {
      return {};
    }
    if (!this.format.fields.includes(field)) {
      this.lose(field, l10n.t('The client does not know this field; it is left out.'));
      return {};
    }
    const text = this.text(field, value);
    return text === undefined ? {} : { [field]: text };
  }

  private options(): JsonObject {
    const { entry } = this.server;
    const kept: [string, unknown][] = [];
    for (const [written, value] of Object.entries(entry)) {
      const field = findField(written)?.name ?? written;
      if (launchFields.has(field)) {
        continue;
      }
      if (field === 'disabled' || field === 'enabled') {
        this.addSwitch(kept, field === 'enabled' ? value !== false : value !== true);
      } else if (this.format.fields.includes(field)) {
        kept.push([field, value]);
      } else {
        this.lose(field, l10n.t('The client does not know this field; it is left out.'));
      }
    }
    return Object.fromEntries(kept);
  }

  private addSwitch(kept: [string, unknown][], isOn: boolean): void {
    if (this.format.fields.includes('enabled')) {
      kept.push(['enabled', isOn]);
    } else if (!isOn) {
      this.lose('enabled', l10n.t('The server is disabled here; there it will be enabled.'));
    }
  }

  /** What has no value there is left out. */
  private map(
    field: string,
    values: Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>> {
    return definedValues(
      mapValues(values, (value, key) => this.text(`${field}.${key}`, value, key)),
    );
  }

  /** @param key what a hidden value is called. @returns undefined when there is no way to say it */
  private text(field: string, value: string, key?: string): string | undefined {
    if (value.includes(redactedSentinel)) {
      return this.hidden(field, value, key);
    }
    if (key !== undefined && commandInValue(value) !== undefined) {
      this.lose(field, l10n.t('The value is left out; set it there.'));
      return undefined;
    }
    const parts = parseTemplate(value).map((part) => this.part(field, part));
    const written = parts.some((part) => part === undefined) ? undefined : parts.join('');
    return written === undefined || this.isReplaced(field, value, written) ? written : undefined;
  }

  /** A variable that the client leaves as it stands has no value there. */
  private isReplaced(field: string, value: string, written: string): boolean {
    const names = variablesIn(value).flatMap(({ variable: { kind, name } }) =>
      kind === 'env' || kind === 'input' ? [name] : [],
    );
    if (names.length === 0 || this.format.replacesIn?.(field, written) !== false) {
      return true;
    }
    for (const name of names) {
      this.lose(field, l10n.t('The client does not replace {0}; write it out there.', name));
    }
    return false;
  }

  /** A secret never leaves the file: it becomes a variable where the client has them. */
  private hidden(field: string, value: string, key: string | undefined): string | undefined {
    const { variable } = this.format;
    const name = variableName(key ?? `${this.server.name}-secret`);
    if (!variable) {
      this.lose(field, l10n.t('The value is left out; set it there.'));
      return undefined;
    }
    const written = value.replaceAll(redactedSentinel, variable(name, undefined));
    if (this.format.replacesIn?.(field, written) === false) {
      this.lose(field, l10n.t('The value is left out; set it there.'));
      return undefined;
    }
    this.lose(field, l10n.t('Set the variable {0} there.', name));
    return written;
  }

  private part(field: string, part: TemplatePart): string | undefined {
    if (part.kind === 'text') {
      return part.text;
    }
    const { kind, name } = part.variable;
    const { variable, hasInputs = false, hasPlaces = false } = this.format;
    if (kind === 'env') {
      return this.variable(field, name, part.fallback);
    }
    if (kind === 'input') {
      if (hasInputs) {
        this.used.add(name);
        return `\${input:${name}}`;
      }
      const stand = variableName(name);
      this.lose(
        field,
        variable
          ? l10n.t('Set the variable {0} there.', stand)
          : l10n.t('The value is left out; set it there.'),
      );
      return variable?.(stand, undefined);
    }
    if (kind === 'place' && hasPlaces) {
      return `\${${name}}`;
    }
    this.lose(field, l10n.t('The client does not replace {0}; write it out there.', `\${${name}}`));
    return `\${${name}}`;
  }

  private variable(
    field: string,
    name: string,
    fallback: readonly TemplatePart[] | undefined,
  ): string | undefined {
    const { variable } = this.format;
    if (!variable) {
      this.lose(field, l10n.t('The value is left out; set it there.'));
      return undefined;
    }
    const isPlain = fallback?.every(({ kind }) => kind === 'text') ?? true;
    const text = fallback?.map((one) => (one.kind === 'text' ? one.text : '')).join('');
    const written = variable(name, isPlain ? text : undefined);
    if (text !== undefined && !(isPlain && written.includes(`:-${text}`))) {
      this.lose(field, l10n.t('Set the variable {0} there.', name));
    }
    return written;
  }

  private lose(field: string, text: string): void {
    this.losses.push({ server: this.server.name, field, text });
  }
}

function variableName(text: string): string {
  const name = text
    .toUpperCase()
    .replace(/[^A-Z\d]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return /^[A-Z]/.test(name) ? name : `SECRET_${name}`;
}
