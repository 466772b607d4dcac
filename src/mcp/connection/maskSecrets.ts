const mask = '•••';
/** A shorter value would mask half of every sentence. */
const minSecretLength = 3;

/** Replaces every secret in a text, also where it stands URL-encoded. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  const forms = secrets.flatMap((secret) => [secret, encodeURIComponent(secret)]);
  return forms
    .filter((form) => form.length >= minSecretLength)
    .sort((a, b) => b.length - a.length)
    .reduce((masked, form) => masked.replaceAll(form, mask), text);
}
