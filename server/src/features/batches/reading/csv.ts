import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { maxBatchColumns, maxBatchRows, maxCellLength } from '@causeway/contract/batches-rules.ts';
import { CsvError, parse } from 'csv-parse';
import { BatchFileError } from './problem.ts';

/** A CSV file as text became: its columns and its records, each as long as the columns. */
export interface CsvTable {
  delimiter: string;
  columns: string[];
  records: string[][];
}

/** Characters that are handed to the parser at once; other requests are served in between. */
const chunkLength = 64 * 1024;
/** Characters of one record: a quotation mark that is never closed would make the rest of the file one. */
const maxRecordLength = 256 * 1024;
const delimiters = [',', ';', '\t'] as const;

/**
 * Reads CSV (RFC 4180) as spreadsheets write it: separated by comma, semicolon or tab, line breaks within quotation marks. The first
 * record names the columns. A record with more values than there are columns refuses the file: an amount like 1,000.00 without quotation
 * marks would otherwise be read as 1.
 * @throws BatchFileError noRows, tooManyRows, tooManyColumns, quotes, ragged
 */
export async function readCsv(text: string): Promise<CsvTable> {
  const { delimiter, rest } = delimiterOf(text);
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_records_with_empty_values: true,
    max_record_size: maxRecordLength,
    trim: true,
    // Before the parser has kept a second one as wide. The line on which a record ends comes before its values.
    on_record: (cells: string[], { lines }) => {
      if (cells.length > maxBatchColumns) {
        throw new BatchFileError('tooManyColumns', { most: maxBatchColumns, columns: cells.length });
      }
      return [String(lines), ...cells];
    },
  });
  const source = Readable.from(chunksOf(rest));
  source.pipe(parser);
  const records: string[][] = [];
  let columns: string[] | null = null;
  try {
    for await (const [line = '', ...cells] of parser as AsyncIterable<string[]>) {
      if (columns === null) columns = named(cells);
      else records.push(fitted(cells, columns.length, line));
      if (records.length > maxBatchRows) throw new BatchFileError('tooManyRows', { most: maxBatchRows });
    }
  } catch (error) {
    if (error instanceof CsvError) throw new BatchFileError('quotes', { line: lineOf(error) });
    throw error;
  } finally {
    source.destroy();
    parser.destroy();
  }
  if (columns === null || records.length === 0) throw new BatchFileError('noRows');
  return { delimiter, columns, records };
}

async function* chunksOf(text: string): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += chunkLength) {
    yield text.slice(from, from + chunkLength);
    // Streams alone go on within one turn of the event loop.
    await setImmediate();
  }
}

/** Columns without a name are called by their place; the empty ones at the end are none. */
function named(record: string[]): string[] {
  const length = record.findLastIndex((cell) => cell !== '') + 1;
  return record.slice(0, length).map((cell, i) => plain(cell) || `#${i + 1}`);
}

function fitted(record: string[], length: number, line: string): string[] {
  if (record.slice(length).some((cell) => cell !== '')) {
    throw new BatchFileError('ragged', { line, values: record.length, columns: length });
  }
  return Array.from({ length }, (_, i) => plain(record[i] ?? ''));
}

/**
 * A cell as text: without what an export put before it so that a spreadsheet takes it for no formula, and no longer than one character
 * over what is allowed, so that it is refused where it is read.
 */
function plain(cell: string): string {
  const text = cell.replace(/^'(?=[=+\-@\t\r＝＋－＠])/, '').trim();
  return text.length > maxCellLength ? text.slice(0, maxCellLength + 1).toWellFormed() : text;
}

function lineOf(error: CsvError): number {
  const { lines } = error as CsvError & { lines?: number };
  return lines ?? 1;
}

/** `sep=;` on the first line is Excel's way to name it; else the one that is most often in the first record. */
function delimiterOf(text: string): { delimiter: string; rest: string } {
  const said = /^sep=([,;\t])\r?\n/i.exec(text);
  if (said?.[1]) return { delimiter: said[1], rest: text.slice(said[0].length) };
  const counts = delimiters.map((delimiter) => ({ delimiter, count: countOutside(text, delimiter) }));
  const best = counts.reduce((most, each) => (each.count > most.count ? each : most));
  return { delimiter: best.delimiter, rest: text };
}

/** How often a character is in the first line that has any, quotation marks aside. */
function countOutside(text: string, sought: string): number {
  let isQuoted = false;
  let isEmpty = true;
  let count = 0;
  for (const char of text.slice(0, maxRecordLength)) {
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (char === '\n' || char === '\r')) {
      if (!isEmpty) return count;
    } else if (!isQuoted && char === sought) count += 1;
    if (char.trim() !== '') isEmpty = false;
  }
  return count;
}
