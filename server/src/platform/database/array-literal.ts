/** What an array of a statement may hold besides texts. */
type Element = string | number | bigint | boolean | null | undefined;

/**
 * An array as PostgreSQL reads it (documentation, 8.15.2), each text in quotation marks. `pg` writes the same, one element after another with two
 * replacements for each: for the arrays of thousands of rows that is most of what sending a statement costs.
 * @returns null where it holds something that `pg` has to convert first: dates, bytes, arrays, objects
 */
export function arrayLiteral(values: readonly unknown[]): string | null {
  if (!values.every(isElement)) return null;
  return `{${values.map(literalOf).join()}}`;
}

function isElement(value: unknown): value is Element {
  const type = typeof value;
  return value == null || type === 'string' || type === 'number' || type === 'bigint' || type === 'boolean';
}

function literalOf(value: Element): string {
  if (value == null) return 'NULL';
  if (typeof value !== 'string') return `"${value}"`;
  return value.includes('"') || value.includes('\\') ? `"${value.replace(/["\\]/g, '\\$&')}"` : `"${value}"`;
}
