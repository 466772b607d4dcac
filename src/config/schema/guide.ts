/** What editors and forms say of a field. */

/** Where a form shows it, in this order. */
export const fieldGroups = ['connection', 'environment', 'tools', 'limits', 'account'] as const;

export type FieldGroup = (typeof fieldGroups)[number];

export interface FieldGuide {
  /** Default: `connection`. */
  readonly group?: FieldGroup;
  /** A few localized words. Default: the name of the field. */
  readonly label?: () => string;
  /** What the label does not say: one localized Markdown sentence or two. */
  readonly describe?: () => string;
  /** The values of the field that are offered, in words. Default: all of them as they are written. */
  readonly choices?: () => Readonly<Record<string, string>>;
  /** What a value may look like. */
  readonly example?: string;
  readonly link?: string;
}

/** By name, or by what the row says. */
export type FieldGuides = Readonly<Record<string, FieldGuide>>;

export function inGroup(group: FieldGroup, guides: FieldGuides): FieldGuides {
  return Object.fromEntries(
    Object.entries(guides).map(([id, guide]) => [id, { ...guide, group }] as const),
  );
}
