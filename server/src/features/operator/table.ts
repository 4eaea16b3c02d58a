/** Formats a result for a terminal: a list as columns, one object as lines of name and value. */
export function asTable(answer: unknown): string {
  if (!Array.isArray(answer)) return lines(answer as Record<string, unknown>);
  if (answer.length === 0) return 'none\n';
  const rows = answer as Record<string, unknown>[];
  const names = Object.keys(rows[0] ?? {});
  const cells = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, i) => Math.max(...cells.map((row) => row[i]?.length ?? 0)));
  return cells
    .map(
      (row) =>
        `${row
          .map((text, i) => text.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function lines(answer: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(answer).map((name) => name.length));
  return Object.entries(answer)
    .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}\n`)
    .join('');
}

/** Texts of companies are shown without what could steer a terminal. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return text.replaceAll(/\p{C}/gu, '\ufffd');
}
