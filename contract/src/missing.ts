/** Which problem of an input is that something is missing, without a schema library. */

/** What the specification says in other words than "required" where it is empty. */
const ownWords: ReadonlySet<string> = new Set([
  'field.emailRequired',
  'field.passwordRequired',
  'field.code',
  'field.invitationCode',
  'field.recoveryCode',
  'field.approverRequired',
  'field.limitsRequired',
]);

/**
 * The id of what is wrong at a path: an empty field is "required" (specification 5), whatever rule found it. `message` is what the
 * rule says of a field that is not empty.
 */
export function problemOf(message: string, path: readonly PropertyKey[], values: unknown): string {
  return path.length > 0 && isMissing(valueAt(path, values)) && !ownWords.has(message) ? 'field.required' : message;
}

function isMissing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}

function valueAt(path: readonly PropertyKey[], values: unknown): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    values,
  );
}
