/** Changes the user's Pi settings in the file that Pi itself reads and locks; every other byte stays. */
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import { HumanError } from '../../base/errors.js';
import { isJsonObject, parseJsonObject } from '../../base/json.js';
import { rewriteFile } from '../../config/edit/configFileWriter.js';
import { removeJsonProperty, setJsonValue } from '../../config/edit/jsonEdit.js';

type SettingPath = readonly string[];

/** `undefined` as a value takes the setting away. @throws {HumanError} when the file is no JSON object, or stays locked */
export async function writePiSettings(
  agentDir: string,
  changes: readonly (readonly [SettingPath, unknown])[],
): Promise<void> {
  const path = join(agentDir, 'settings.json');
  const edit = (text: string) => {
    const settings = text.trim() === '' ? {} : parseJsonObject(text);
    if (!settings) {
      throw new HumanError(
        'settings_broken',
        l10n.t('{0} has an error, so nothing is written to it.', path),
        {
          remedy: l10n.t('Correct the file, then try again.'),
        },
      );
    }
    return changes.reduce((edited, [keys, value]) => change(edited, keys, value), text);
  };
  await rewriteFile(path, edit, { isPrivate: true });
}

/** What stands in the way and is no object is none of Pi's, which goes by its default then. */
function change(text: string, keys: SettingPath, value: unknown): string {
  if (value === undefined) {
    return removeJsonProperty(text, [...keys]);
  }
  const settings = parseJsonObject(text) ?? {};
  let at: unknown = settings;
  for (let depth = 0; depth < keys.length - 1; depth++) {
    at = isJsonObject(at) ? at[keys[depth] ?? ''] : undefined;
    if (at !== undefined && !isJsonObject(at)) {
      const rest = keys.slice(depth + 1).reduceRight((inner, key) => ({ [key]: inner }), value);
      return setJsonValue(text, keys.slice(0, depth + 1), rest);
    }
  }
  return setJsonValue(text, [...keys], value);
}
