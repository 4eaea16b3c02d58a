/** What a test takes for granted is there; otherwise it fails here and not later. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('what the test takes for granted is not there');
  return value;
}
