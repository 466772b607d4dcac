/** Text may hold halves of surrogate pairs, on which `encodeURIComponent` throws and which no file can hold. */

const half = /\p{Surrogate}/u;
const halves = /\p{Surrogate}/gu;

export function isWellFormed(text: string): boolean {
  return !half.test(text);
}

/** Half pairs become U+FFFD. */
export function toWellFormed(text: string): string {
  return text.replace(halves, '\uFFFD');
}

/** As `encodeURIComponent`, for any text: half pairs become `%uD800`, which nothing else does. */
export function encodeAnyText(text: string): string {
  return text
    .split(/(\p{Surrogate})/u)
    .map((part) =>
      half.test(part)
        ? `%u${part.charCodeAt(0).toString(16).toUpperCase()}`
        : encodeURIComponent(part),
    )
    .join('');
}
