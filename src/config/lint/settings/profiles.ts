import * as l10n from '@vscode/l10n';
import { isJsonObject } from '../../../base/json.js';
import { quotedName } from '../../../base/text/nameToken.js';
import { countedNode, jsonValueOf, nodeRange } from '../../parse/jsonDocument.js';
import { isPatternKnown, patternsOf } from '../../toolProfiles.js';
import type { FindingText } from '../finding.js';
import {
  type LintFinding,
  type LintRule,
  type LintSubject,
  type LintSurroundings,
  lintRules,
} from '../lintTypes.js';

/** Profiles that leave everything out because they are not understood, and patterns that mean nothing. */
export function profiles(
  { document: { root }, file, isCommitted }: LintSubject,
  { servers = [] }: LintSurroundings,
): readonly LintFinding[] {
  const block = countedNode(root, ['settings', 'profiles']);
  const written: unknown = block && jsonValueOf(block);
  if (!block || !isJsonObject(written)) {
    return [];
  }
  const finding = (
    code: LintRule,
    path: readonly (string | number)[],
    text: FindingText,
  ): LintFinding => {
    const node = countedNode(block, path) ?? block;
    return { code, severity: lintRules[code], ...text, range: nodeRange(node) };
  };
  const known = new Set(servers.map(({ server }) => server));
  const others = file.entries.filter(({ name }) => !known.has(name));
  const all = [...servers, ...others.map(({ name }) => ({ server: name, tools: undefined }))];
  return Object.entries(written).flatMap(([name, profile]) => {
    const patterns = patternsOf(profile);
    if (!patterns) {
      return [finding('profile-shape', [name], shapeText(name))];
    }
    const place = isJsonObject(profile) ? [name, 'tools'] : [name];
    // a file of the user may name servers of folders that are not open
    return patterns.flatMap((pattern, at) =>
      !isCommitted || isPatternKnown(pattern, all)
        ? []
        : [finding('unknown-profile-pattern', [...place, at], unknownText(name, pattern))],
    );
  });
}

function shapeText(name: string): FindingText {
  return {
    message: l10n.t('Profile {0} is invalid: no tools.', quotedName(name)),
    remedy: l10n.t(
      'Write a list of patterns such as "github", "github/get_*" or "!github/delete_*", or an object with "tools" and "readOnly".',
    ),
  };
}

function unknownText(name: string, pattern: string): FindingText {
  return {
    message: l10n.t(
      'Profile {0} names no server or tool with {1}.',
      quotedName(name),
      quotedName(pattern),
    ),
    remedy: l10n.t('Check the spelling.'),
  };
}
