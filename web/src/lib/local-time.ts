/** `2026-11-25T14:30` in the reader's own time zone, as a field of a local time has it. */
export function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
