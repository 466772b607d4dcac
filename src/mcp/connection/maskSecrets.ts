const mask = '•••';
/** A shorter value would mask half of every sentence. */
const minSecretLength = 3;

/** Replaces every secret in a text, also where it stands URL-encoded or escaped as JSON. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]);
  return [...new Set(forms)]
    .filter((form) => form.length >= minSecretLength)
    .sort((a, b) => b.length - a.length)
    .reduce((masked, form) => masked.replaceAll(form, mask), text);
}
