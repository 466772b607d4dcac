import { isAbsolute, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ErrorCode } from '../../base/errorCodes.js';
import { HumanError } from '../../base/errors.js';
import { isJsonObject } from '../../base/json.js';
import { quotedName } from '../../base/text/nameToken.js';
import type { HostEnvironment } from '../../platform/ports.js';
import {
  gravestProblem,
  type McpHttpLaunch,
  type McpServerDefinition,
  type McpStdioLaunch,
  type OAuthSettings,
  type ResolvedHttpLaunch,
  type ResolvedLaunch,
  type ResolvedStdioLaunch,
} from '../definition.js';
import type { InputResolver } from '../ports.js';
import {
  credentialsInAddress,
  httpAddress,
  mustBe,
  notSet,
  ofServer,
  unknownVariable,
} from '../sentences.js';
import { runSecretCommand } from './commandValue.js';
import { readEnvFile } from './envFile.js';
import {
  basicCredentials,
  isSecretVariable,
  type LaunchFieldPlace,
  secretsInField,
} from './launchSecrets.js';
import { oauthPlaceTrouble } from './oauthPlaces.js';
import { expandTilde, placeText } from './places.js';
import { knownVariables, unsetRemedy } from './variableProblems.js';
import {
  commandInValue,
  oauthTemplates,
  parseTemplate,
  type TemplatePart,
  type VariablePart,
} from './variables.js';

export interface ResolveOptions {
  readonly environment: HostEnvironment;
  readonly inputs: InputResolver;
  readonly signal?: AbortSignal;
}

/**
 * Resolves variables, inputs and `!command` values. Reads secrets and may run commands: call it only after the trust
 * gate has let the definition pass.
 * @throws {HumanError} that names server, field and variable, or the signal's reason.
 */
export async function resolveLaunch(
  definition: McpServerDefinition,
  options: ResolveOptions,
): Promise<ResolvedLaunch> {
  options.signal?.throwIfAborted();
  const { launch } = definition;
  if (!launch) {
    throw new HumanError(
      'invalid_entry',
      l10n.t(
        'Server {0} in {1} cannot be used as written.',
        quotedName(definition.name),
        definition.origin.path,
      ),
      {
        remedy: gravestProblem(definition.problems)?.remedy ?? l10n.t('Correct the entry.'),
      },
    );
  }
  const resolver = new LaunchResolver(definition, options);
  return launch.kind === 'stdio' ? resolver.stdio(launch) : resolver.http(launch);
}

/**
 * Texts of an entry beside its launch that only a file of the user may hold, with what must be masked wherever they are
 * mentioned. @throws {HumanError} as {@link resolveLaunch}.
 */
export async function resolveTexts(
  definition: McpServerDefinition,
  written: readonly (LaunchFieldPlace & { readonly text: string })[],
  options: ResolveOptions,
): Promise<{ readonly texts: readonly string[]; readonly secrets: readonly string[] }> {
  return new LaunchResolver(definition, options).texts(written);
}

class LaunchResolver {
  private readonly secrets = new Set<string>();

  constructor(
    private readonly definition: McpServerDefinition,
    private readonly options: ResolveOptions,
  ) {}

  async stdio(launch: McpStdioLaunch): Promise<ResolvedStdioLaunch> {
    const command = await this.path({ field: 'command' }, launch.command);
    const args: string[] = [];
    for (const [index, arg] of launch.args.entries()) {
      args.push(await this.path({ field: `args[${index}]`, previous: args[index - 1] }, arg));
    }
    const file = launch.envFile === undefined ? undefined : await this.envFile(launch.envFile);
    const env = { ...file?.values, ...(await this.map('env', launch.env)) };
    const cwd = await this.cwd(launch.cwd);
    const { inheritEnv, protocolVersion } = launch;
    return {
      kind: 'stdio',
      command,
      args,
      env,
      envFile: file?.read,
      cwd,
      inheritEnv,
      protocolVersion,
      secrets: [...this.secrets],
    };
  }

  async http(launch: McpHttpLaunch): Promise<ResolvedHttpLaunch> {
    const url = await this.text({ field: 'url' }, launch.url);
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
      throw this.failure(
        'bad-url',
        ofServer(this.definition.name, mustBe('url', httpAddress)),
        l10n.t('Correct the value.'),
      );
    }
    if (/^https?:\/\/[^/?#]*@/i.test(url)) {
      const { message, remedy } = credentialsInAddress();
      const sentence = ofServer(this.definition.name, message);
      throw this.failure('credentials_in_address', sentence, remedy);
    }
    const headers = await this.map('headers', launch.headers);
    const token = await this.bearerToken(launch);
    const oauth = launch.oauth && (await this.oauth(launch.oauth));
    const { scope, origin, name } = this.definition;
    const isOfRepository = scope === 'folder' && origin.layer !== 'local';
    const trouble = oauth && oauthPlaceTrouble(name, { url, oauth }, isOfRepository);
    if (trouble) {
      throw this.failure('oauth_settings', trouble.message, trouble.remedy);
    }
    const { transport, ignoreCertificateErrors, auth, protocolVersion } = launch;
    return {
      kind: 'http',
      url,
      transport,
      headers: withBearer(headers, token),
      ignoreCertificateErrors,
      auth,
      oauth,
      protocolVersion,
      secrets: [...this.secrets],
    };
  }

  async texts(written: readonly (LaunchFieldPlace & { readonly text: string })[]) {
    const texts: string[] = [];
    for (const { text, ...place } of written) {
      texts.push(await this.text(place, text));
    }
    return { texts, secrets: [...this.secrets] };
  }

  private async bearerToken(launch: McpHttpLaunch): Promise<string | undefined> {
    if (launch.auth === false) {
      return undefined;
    }
    if (launch.bearerToken !== undefined) {
      return this.secret('bearerToken', launch.bearerToken);
    }
    if (launch.bearerTokenEnv === undefined) {
      return undefined;
    }
    const value = this.options.environment.getVariable(launch.bearerTokenEnv);
    if (!value) {
      throw this.unset('bearerTokenEnv', launch.bearerTokenEnv);
    }
    this.secrets.add(value);
    return value;
  }

  /** Settings of an OAuth client with the variables of every text resolved; the secrets among them may be commands. */
  private async oauth(settings: OAuthSettings): Promise<OAuthSettings> {
    return (await this.oauthValue('oauth', settings)) as OAuthSettings;
  }

  private async oauthValue(field: string, value: unknown): Promise<unknown> {
    if (typeof value === 'string') {
      const isSecret = oauthTemplates(field, value)[0]?.mayRunCommand;
      return isSecret ? this.secret(field, value) : this.text({ field }, value);
    }
    if (!isJsonObject(value)) {
      return value;
    }
    const entries: [string, unknown][] = [];
    for (const [key, item] of Object.entries(value)) {
      entries.push([key, await this.oauthValue(`${field}.${key}`, item)]);
    }
    return Object.fromEntries(entries);
  }

  private async cwd(cwd: string | undefined): Promise<string> {
    const { homeDir } = this.options.environment;
    const base = this.definition.folder?.fsPath ?? homeDir;
    if (cwd === undefined) {
      return base;
    }
    const path = await this.path({ field: 'cwd' }, cwd);
    return isAbsolute(path) ? path : resolve(base, path);
  }

  private async envFile(written: string) {
    const { homeDir } = this.options.environment;
    const base = this.definition.folder?.fsPath ?? homeDir;
    const path = resolve(base, await this.path({ field: 'envFile' }, written));
    const { values, names, digest } = await readEnvFile(path);
    for (const [name, value] of Object.entries(values)) {
      this.addSecrets(secretsInField(value, { field: `env.${name}` }));
    }
    return { values, read: { path, names, digest } };
  }

  private async map(
    field: 'env' | 'headers',
    values: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, string>>> {
    const resolved: [string, string][] = [];
    for (const [key, value] of Object.entries(values)) {
      resolved.push([key, await this.commandOrText(`${field}.${key}`, value)]);
    }
    return Object.fromEntries(resolved);
  }

  /** A value that may come from a command and is a secret in any case. */
  private async secret(field: string, value: string): Promise<string> {
    const text = await this.commandOrText(field, value);
    this.addWhole(text);
    return text;
  }

  /** What a command prints is a secret in any case. */
  private async commandOrText(field: string, value: string): Promise<string> {
    const command = commandInValue(value);
    if (command === undefined) {
      return this.text({ field }, value.startsWith('!!') ? value.slice(1) : value);
    }
    const text = await this.run(field, command);
    this.addWhole(text);
    return text;
  }

  /** Behind a scheme such as `Bearer` stands the secret itself. */
  private addWhole(text: string): void {
    this.addSecrets([text, ...text.split(/\s+/).slice(1), ...basicCredentials(text)]);
  }

  private run(field: string, command: string): Promise<string> {
    const { environment, signal } = this.options;
    const cwd = this.definition.folder?.fsPath ?? environment.homeDir;
    const place = { server: this.definition.name, field };
    return runSecretCommand(command, { cwd, environment, place, signal });
  }

  /** `~/` at the start stands for the home directory, as a shell would read it. */
  private async path(place: LaunchFieldPlace, value: string): Promise<string> {
    const text = await this.text(place, value);
    return expandTilde(text, this.options.environment.homeDir);
  }

  private async text(place: LaunchFieldPlace, value: string): Promise<string> {
    const text = await this.join(place, parseTemplate(value));
    this.addSecrets(secretsInField(text, place));
    return text;
  }

  private async join(place: LaunchFieldPlace, parts: readonly TemplatePart[]): Promise<string> {
    let text = '';
    for (const [index, part] of parts.entries()) {
      text += part.kind === 'text' ? part.text : await this.variable(place, parts, index, part);
    }
    return text;
  }

  private async variable(
    place: LaunchFieldPlace,
    parts: readonly TemplatePart[],
    index: number,
    part: VariablePart,
  ): Promise<string> {
    const { variable, fallback } = part;
    const value = await this.lookUp(place.field, part);
    this.options.signal?.throwIfAborted();
    if (fallback && !value) {
      return this.join(place, fallback);
    }
    if (value === undefined) {
      throw this.unset(place.field, variable.name, variable.kind === 'input');
    }
    // the answers to inputs are kept in the secret storage
    if (
      variable.kind === 'input' ||
      (variable.kind === 'env' && isSecretVariable(value, parts, index, place))
    ) {
      this.addSecrets([value]);
    }
    return value;
  }

  private async lookUp(field: string, { variable }: VariablePart): Promise<string | undefined> {
    const { environment, inputs, signal } = this.options;
    switch (variable.kind) {
      case 'env':
        return environment.getVariable(variable.name);
      case 'input':
        return inputs.resolve(this.definition.poolId, variable.name, this.definition, signal);
      case 'place':
        return placeText(variable.name, {
          folder: this.definition.folder?.fsPath,
          homeDir: environment.homeDir,
        });
      case 'unknown':
        throw this.failure(
          'variable_unknown',
          ofServer(this.definition.name, unknownVariable(variable.name), field),
          knownVariables(),
          variable.name,
        );
    }
  }

  private unset(field: string, name: string, isInput = false): HumanError {
    const { name: server } = this.definition;
    return isInput
      ? this.failure(
          'variable_unset',
          ofServer(server, l10n.t('The input {0} has no value.', quotedName(name)), field),
          this.options.inputs.remedy ??
            l10n.t('Connect the server from its menu and answer the question.'),
          name,
        )
      : this.failure(
          'variable_unset',
          ofServer(server, notSet(name), field),
          unsetRemedy(name),
          name,
        );
  }

  private failure(code: ErrorCode, message: string, remedy: string, variable?: string): HumanError {
    return new HumanError(code, message, {
      remedy,
      facts: { variable, line: this.definition.origin.line },
    });
  }

  private addSecrets(values: readonly string[]): void {
    for (const value of values) {
      if (value) {
        this.secrets.add(value);
      }
    }
  }
}

/** A header that the entry sets itself wins. */
function withBearer(
  headers: Readonly<Record<string, string>>,
  token: string | undefined,
): Readonly<Record<string, string>> {
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  return token === undefined || hasOwn ? headers : { ...headers, Authorization: `Bearer ${token}` };
}
