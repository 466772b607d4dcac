/** The one table of what is said of fields. Forms, hovers, completion and the tables of the documents read it. */
import type { ConfigField } from '../field.js';
import type { FieldGuide, FieldGuides } from '../guide.js';
import { commonGuides } from './commonGuides.js';
import { launchGuides } from './launchGuides.js';
import { oauthGuides } from './oauthGuides.js';
import { settingGuides } from './settingGuides.js';

const fieldGuides: FieldGuides = {
  ...launchGuides,
  ...commonGuides,
  ...oauthGuides,
  ...settingGuides,
};

/** @throws when nobody has written one. */
export function guideOf({ name, guideId = name, guide }: ConfigField): FieldGuide {
  const found = guide ?? fieldGuides[guideId];
  if (!found) {
    throw new Error(`The field ${guideId} has no guide`);
  }
  return found;
}

/** Markdown for those who see no form: what a field is, and what each of its values means. */
export function fieldText(field: ConfigField): string {
  const { label, describe, choices } = guideOf(field);
  const values = Object.entries(choices?.() ?? {})
    .map(([value, text]) => (value === text ? `\`${value}\`` : `\`${value}\`: ${text}`))
    .join(' · ');
  return [label && `${label()}.`, describe?.(), values].filter(Boolean).join(' ');
}
