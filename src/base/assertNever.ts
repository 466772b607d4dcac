/** Marks a `switch` as exhaustive. @throws always. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
