import { type BatchField, batchFields, type Written } from '@causeway/contract/batches-rules.ts';

/** Rows as a spreadsheet puts them on the clipboard: pure. */

/** Cells of a text with tabs between columns; line breaks and tabs within quotation marks are part of a cell. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let isQuoted = false;
  const endCell = () => {
    rows.at(-1)?.push(cell.trim());
    cell = '';
  };
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] ?? '';
    if (isQuoted) {
      if (char !== '"') cell += char;
      else if (text[i + 1] === '"') {
        cell += '"';
        i += 1;
      } else isQuoted = false;
    } else if (char === '"' && cell === '') isQuoted = true;
    else if (char === '\t') endCell();
    else if (char === '\n') {
      endCell();
      rows.push([]);
    } else if (char !== '\r') cell += char;
  }
  endCell();
  return rows.filter((row) => row.some((value) => value !== ''));
}

/**
 * Rows of a batch out of pasted cells. A first line whose every filled cell names a field says which column is which; without one the columns are
 * those of the grid, from `columns`' first on.
 */
export function rowsOf(
  cells: readonly (readonly string[])[],
  columns: readonly BatchField[],
  fieldNamed: (name: string) => BatchField | null,
): Written[] {
  const [first = [], ...others] = cells;
  const named = first.map(fieldNamed);
  const isHeader = first.some((cell) => cell !== '') && first.every((cell, i) => cell === '' || named[i] !== null);
  const fields = isHeader ? named : columns;
  return (isHeader ? others : cells).map((row) => {
    const written: Written = {};
    for (const [i, value] of row.entries()) {
      const field = fields[i];
      if (field && value !== '') written[field] ??= value;
    }
    return written;
  });
}

/** Fields by their names in the reader's language, or as the contract names them. */
export function fieldNamer(nameOf: (field: BatchField) => string): (name: string) => BatchField | null {
  const plain = (name: string) => name.trim().toLowerCase();
  const byName = new Map(
    batchFields.flatMap((field) => [[plain(nameOf(field)), field] as const, [plain(field), field] as const]),
  );
  return (name) => byName.get(plain(name)) ?? null;
}
