/** What JSON.parse tells its reviver of a number since ECMAScript 2025: the text that stood there. */
type Reviver = (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown;

/**
 * Reads JSON with every number as the text that stood there: an amount never passes through a double.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
  const asText: Reviver = (_key, value, { source }) => (typeof value === 'number' ? (source ?? String(value)) : value);
  return JSON.parse(text, asText as (key: string, value: unknown) => unknown);
}
