import { randomBytes } from 'node:crypto';

/** Search results say where, never what. */
interface Leak {
  readonly surface: string;
  readonly secret: string;
  readonly form: string;
}

/** A value that looks like nothing else, with characters that every escaping changes. */
export function createSecret(label: string): string {
  return `${label}-${randomBytes(12).toString('hex')}/+"\\&end`;
}

/**
 * Where one of the secrets (label → value) shows in one of the texts (surface → text), plain or in a form that anybody
 * can read back.
 */
export function findSecrets(
  surfaces: Readonly<Record<string, string>>,
  secrets: Readonly<Record<string, string>>,
): readonly Leak[] {
  return Object.entries(secrets).flatMap(([secret, value]) =>
    Object.entries(formsOf(value)).flatMap(([form, needles]) =>
      Object.entries(surfaces)
        .filter(([, text]) => needles.some((needle) => text.includes(needle)))
        .map(([surface]) => ({ surface, secret, form })),
    ),
  );
}

function formsOf(value: string): Readonly<Record<string, readonly string[]>> {
  const json = JSON.stringify(value).slice(1, -1);
  const hex = Buffer.from(value).toString('hex');
  // the part without special characters is as good as the whole
  const core = /[0-9a-f]{24}/.exec(value)?.[0];
  return {
    plain: [value, ...(core === undefined ? [] : [core])],
    'escaped for JSON': [json, JSON.stringify(json).slice(1, -1)],
    'encoded for a URL': [
      encodeURIComponent(value),
      new URLSearchParams([['', value]]).toString().slice(1),
    ],
    hexadecimal: [hex, hex.toUpperCase()],
    Base64: [...base64Of(value, 'base64'), ...base64Of(value, 'base64url')],
  };
}

/** What is the same wherever the value stands in a longer text; three ways to be aligned. */
function base64Of(value: string, encoding: 'base64' | 'base64url'): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const bytes = Buffer.from(`${'x'.repeat(shift)}${value}`);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString(encoding);
    return whole.slice(shift === 0 ? 0 : 4);
  });
}
