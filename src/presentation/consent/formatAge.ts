const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** How long ago, in the largest whole unit. @param language such as `en` */
export function formatAge(ageMs: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const [unit, unitMs] = units.find(([, ms]) => ageMs >= ms) ?? [];
  // in the language's own word for "now"
  return unit ? format.format(-Math.floor(ageMs / unitMs), unit) : format.format(0, 'second');
}
