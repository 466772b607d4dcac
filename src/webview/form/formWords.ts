import * as l10n from '@vscode/l10n';
import { type DraftProblem, type FieldDraft, readDraft } from '../../base/form/fieldDraft.js';
import { showHidden } from '../../base/text/showHidden.js';

/** The name of a field as people see it, which a server has given. */
export function fieldTitle({ field }: FieldDraft): string {
  return showHidden(field.title === '' ? l10n.t('Value') : field.title);
}

/**
 * What is wrong with the fields of a form, by id of a draft: what is missing only where its user has tried to send it.
 * @param others what somebody else found wrong with a field, by its name
 */
export function problemTexts(
  root: FieldDraft,
  wasTried: boolean,
  others: (field: string) => string | undefined = () => undefined,
): Map<number, readonly string[]> {
  const own = readDraft(root).problems.filter(({ kind }) => wasTried || kind !== 'required');
  const found = root.children.flatMap(({ field, id }) => {
    const text = others(field.name);
    return text === undefined ? [] : [[id, [text]] as const];
  });
  return new Map([...found, ...own.map((one) => [one.draft.id, [problemText(one)]] as const)]);
}

export function problemText({ kind, detail = '' }: Pick<DraftProblem, 'kind' | 'detail'>): string {
  switch (kind) {
    case 'required':
      return l10n.t('A value is required.');
    case 'notNumber':
      return l10n.t('This is not a number.');
    case 'notInteger':
      return l10n.t('This is not a whole number.');
    case 'inexact':
      return l10n.t('{0} is too large to be sent as it is written.', detail);
    case 'notChoice':
      return l10n.t('This is not one of the choices.');
    case 'notJson':
      return l10n.t('This is not JSON: {0}', detail);
    case 'noName':
      return l10n.t('A name is missing.');
    case 'sameName':
      return l10n.t('Another property has this name.');
    case 'gap':
      return l10n.t('It cannot be left out before an item that is there.');
  }
}
