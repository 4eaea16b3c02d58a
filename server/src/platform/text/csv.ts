import type { Options } from 'csv-stringify';

/**
 * How every CSV file is written: UTF-8 with the mark that Excel looks for, lines that end as RFC 4180 has it, and no cell that a
 * program for tables would take for a formula.
 */
export const csvForm = {
  bom: true,
  escape_formulas: true,
  record_delimiter: 'windows',
  // Of itself it quotes the delimiter of records alone, which is not the line break that people type.
  quoted_match: /[\r\n]/,
} as const satisfies Options;
