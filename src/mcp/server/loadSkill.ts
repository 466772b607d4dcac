/** Reads skills of servers: what comes is what is listed, and nothing is used that no person has looked at. */
import type { Client } from '@modelcontextprotocol/client';
import * as l10n from '@vscode/l10n';
import { errorMessage, HumanError, isHumanError } from '../../base/errors.js';
import { defined } from '../../base/json.js';
import { nameToken, quotedName } from '../../base/text/nameToken.js';
import { showHiddenInLine } from '../../base/text/showHidden.js';
import type { McpServerDefinition } from '../../config/definition.js';
import { assertNotHeld } from '../catalog/definitions/heldTool.js';
import type { McpConnection } from '../connection/mcpConnection.js';
import {
  isEngineError,
  type McpSession,
  type RequestOptions,
} from '../connection/session/engine.js';
import type { McpCallOptions, McpServer } from '../mcpApi.js';
import type { McpSkill, McpSkillContents } from '../mcpTypes.js';
import type { KnownCatalog } from './knownCatalog.js';

const manifest = 'SKILL.md';
/** Characters. */
const maxReason = 500;

/** A skill as a person has to see it before it is used. */
export interface SkillReview {
  readonly definition: McpServerDefinition;
  readonly skill: McpSkill;
  /** Its `SKILL.md`, checked. */
  readonly text: string;
}

/** Whether the person lets it be used. */
export type ReviewSkill = (review: SkillReview, signal: AbortSignal) => Promise<boolean>;

interface WantedSkill {
  readonly name: string;
  readonly path: string | undefined;
  readonly options: McpCallOptions;
}

type Server = Pick<McpServer, 'catalog' | 'definition'>;

/** What the log of calls says of it. */
export function skillCall(name: string, path: string | undefined, { maker }: McpCallOptions) {
  return { tool: 'skills/load', args: { name, path }, maker };
}

/**
 * @param review default: nobody is there
 * @param request connects first if necessary
 * @throws {HumanError}
 */
export async function loadSkill(
  server: Server,
  uses: Pick<KnownCatalog, 'mayUse' | 'allowUse'>,
  review: ReviewSkill | undefined,
  { name, path = manifest, options }: WantedSkill,
  request: <T>(
    read: (connection: McpConnection, request: RequestOptions) => Promise<T>,
  ) => Promise<T>,
): Promise<McpSkillContents> {
  const { signal = new AbortController().signal } = options;
  // what we say ourselves is no failure of the connection
  const read = async (file: string): Promise<McpSkillContents> => {
    const outcome = await request(async ({ session }, bounds) => {
      try {
        return await readFile(session, findSkill(server, name), file, bounds);
      } catch (error) {
        if (isHumanError(error)) {
          return error;
        }
        throw error;
      }
    });
    if (isHumanError(outcome)) {
      throw outcome;
    }
    return outcome;
  };
  const wanted = await read(path);
  const { skill } = wanted;
  if (!uses.mayUse(skill)) {
    const { definition } = server;
    const own = path === manifest ? wanted : await read(manifest);
    const isWanted = await review?.({ definition, skill, text: own.text ?? '' }, signal);
    signal.throwIfAborted();
    if (!isWanted) {
      throw unread(skill, review !== undefined);
    }
    if (own.skill !== skill || findSkill(server, name) !== skill) {
      throw refused(skill, l10n.t('it changed meanwhile'));
    }
    await uses.allowUse(skill);
  }
  return wanted;
}

/** @throws {HumanError} */
function findSkill(server: Server, name: string): McpSkill {
  assertNotHeld(server, name, 'skill');
  const skill = server.catalog.value.skills?.find((one) => one.name === name);
  if (!skill) {
    throw new HumanError(
      'skill_unknown',
      l10n.t('Server {0} has no skill {1}.', quotedName(server.definition.name), quotedName(name)),
    );
  }
  return skill;
}

/** @throws {HumanError} when it is no file of the skill, or not the one that is listed */
async function readFile(
  session: McpSession,
  skill: McpSkill,
  path: string,
  bounds: RequestOptions,
): Promise<McpSkillContents> {
  const file = skill.files.find((one) => one.path === path);
  if (!file) {
    throw new HumanError(
      'skill_unknown',
      l10n.t('The skill {0} has no such file: {1}', quotedName(skill.name), nameToken(path)),
    );
  }
  const { SkillsClient } = await import('@modelcontextprotocol/client/ext/skills');
  try {
    const client = new SkillsClient(readerOf(session, bounds));
    const { uri, frontmatter, files } = skill;
    const resources = files.map((one) => ({ ...one, digest: `sha256:${one.sha256}` }));
    const entry = {
      uri,
      frontmatter: { ...frontmatter, name: skill.name, description: skill.description },
      resources,
    };
    const { bytes } = await client.read(entry, file.uri);
    return { skill, file, text: textOf(bytes) };
  } catch (error) {
    throw isHumanError(error) || isEngineError(error) || bounds.signal?.aborted
      ? error
      : refused(skill, errorMessage(error));
  }
}

/**
 * As much of an SDK's client as checking a skill takes: over our own session, so that our bounds, the log and whoever answers
 * questions are the same as for every other request. `SkillsClient` reads through a method that has no public name.
 */
function readerOf(session: McpSession, bounds: RequestOptions): Client {
  const client = {
    getServerCapabilities: () => session.capabilities,
    _readResource: async ({ uri }: { readonly uri: string }) => {
      const contents = await session.readResource(uri, bounds);
      return { cached: false, result: { contents: contents.map((one) => defined({ ...one })) } };
    },
  };
  return client as unknown as Client;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // not a text
    return undefined;
  }
}

function refused({ name }: McpSkill, reason: string): HumanError {
  return new HumanError(
    'skill_refused',
    l10n.t(
      'The skill {0} was not loaded: {1}',
      quotedName(name),
      showHiddenInLine(reason.slice(0, maxReason)),
    ),
    { remedy: l10n.t('Ask the operator of the server.') },
  );
}

function unread({ name }: McpSkill, wasAsked: boolean): HumanError {
  return new HumanError(
    'skill_unread',
    wasAsked
      ? l10n.t('The user does not want the skill {0} to be used.', quotedName(name))
      : l10n.t('The skill {0} has not been shown to the user.', quotedName(name)),
    wasAsked ? {} : { remedy: l10n.t('Load it in the agent panel once.') },
  );
}
