import { createHash } from 'node:crypto';
import type { addBatch, Batch } from '@causeway/contract/batches.ts';
import {
  type BatchEncoding,
  batchNameMaxLength,
  isMapped,
  maxCellLength,
  type Written,
} from '@causeway/contract/batches-rules.ts';
import type { Body } from '@causeway/contract/call.ts';
import { maxFileBytes } from '@causeway/contract/files-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { withoutInvisible } from '@causeway/contract/names.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { Upload } from '../../../platform/http/call-input.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type OpenContext, type SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { storeFile } from '../../files/index.ts';
import { readCsv } from '../reading/csv.ts';
import { decode } from '../reading/decode.ts';
import { isReasons, type Mapping, matchColumns } from '../reading/headers.ts';
import { kindOf } from '../reading/kind.ts';
import { type Initiation, readPain001 } from '../reading/pain001.ts';
import { BatchFileError } from '../reading/problem.ts';
import { writtenOf } from '../reading/written.ts';
import { findMapping, type Header, insertBatch, insertRows } from '../store/drafts.ts';
import { type DraftsPorts, existing } from './ports.ts';
import { batchOf } from './view.ts';

/** A CSV file as it was read: its records, and how. */
export interface CsvReading {
  encoding: BatchEncoding;
  delimiter: string;
  header: Header;
  records: string[][];
}

const samples = 3;
/** Of a value that is shown to match a column by. */
const sampleLength = 60;

/**
 * Makes a batch from a file, which is kept as it was. Its rows are written down and have no meaning yet.
 * @throws DomainError fileEmpty, fileTooLarge, storageFull, batchFileRefused
 */
export async function upload(context: OpenContext & DraftsPorts & { upload: Upload }): Promise<Batch> {
  const { content, name } = context.upload;
  const { locale, session } = context;
  if (content.length === 0) throw new DomainError('fileEmpty');
  if (content.length > maxFileBytes) throw new DomainError('fileTooLarge');
  const read = await readFileOr(locale, () => readAny(content, locale));
  const sha256 = createHash('sha256').update(content).digest();
  const id = newId();
  const fileId = newId();
  const type = read.source === 'csv' ? 'text/csv' : 'application/xml';
  return storeFile(context, { id: fileId, name, type, content, sha256 }, async (tx) => {
    const csv = read.source === 'csv' ? read.csv : null;
    const matched = csv === null ? { mapping: {}, isMatched: true } : await mappingFor(tx, csv);
    const written = read.source === 'csv' ? rowsOf(read.csv, matched) : read.rows;
    await insertBatch(tx, {
      id,
      name: nameOf(name),
      source: read.source,
      fileId,
      fileName: withoutInvisible(name).trim().slice(0, 255).toWellFormed() || 'file',
      fileHash: sha256,
      ...matched,
      encoding: csv?.encoding ?? null,
      delimiter: csv?.delimiter ?? null,
      header: csv?.header ?? null,
      asked: read.source === 'csv' ? null : read.asked,
      createdBy: session.userId,
    });
    await insertRows(tx, id, 0, written.map(asRow));
    const detail = {
      name: nameOf(name),
      digest: sha256.toString('hex'),
      rows: String(csv?.records.length ?? written.length),
    };
    await audit(tx, { actor: actorOf(context), action: 'batches.upload', subjectKind: 'batch', subjectId: id, detail });
    await announce(tx, [live('batch', id)]);
    return batchOf(tx, await existing(tx, id), locale);
  });
}

/** Makes an empty batch. @throws DomainError idTaken */
export async function add(tx: Tx, context: SignedInContext, body: Body<typeof addBatch>): Promise<Batch> {
  const id = body.id ?? newId();
  const nothingRead = {
    fileId: null,
    fileName: null,
    fileHash: null,
    mapping: {},
    isMatched: true,
    encoding: null,
    delimiter: null,
    header: null,
    asked: null,
  };
  try {
    await insertBatch(tx, { id, name: body.name, source: 'typed', ...nothingRead, createdBy: context.session.userId });
  } catch (error) {
    if (databaseError(error)?.constraint === 'payout_batch_pkey') throw new DomainError('idTaken');
    throw error;
  }
  const detail = { name: body.name };
  await audit(tx, { actor: actorOf(context), action: 'batches.add', subjectKind: 'batch', subjectId: id, detail });
  await announce(tx, [live('batch', id)]);
  return batchOf(tx, await existing(tx, id), context.locale);
}

/** @throws DomainError batchFileRefused with the reason in the reader's language */
export async function readFileOr<T>(locale: Locale, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BatchFileError)) throw error;
    throw new DomainError('batchFileRefused', {
      reason: translate(locale, `batches.file.${error.problem}`, error.details),
    });
  }
}

type Read = { source: 'csv'; csv: CsvReading } | ({ source: 'pain001' } & Initiation);

async function readAny(content: Buffer, locale: Locale): Promise<Read> {
  if (kindOf(content) === 'pain001') return { source: 'pain001', ...(await readPain001(content, locale)) };
  return { source: 'csv', csv: await readCsvFile(content, null) };
}

/** @throws BatchFileError */
export async function readCsvFile(content: Buffer, chosen: BatchEncoding | null): Promise<CsvReading> {
  const { text, encoding, encodings, sure } = decode(content, chosen);
  const { delimiter, columns, records } = await readCsv(text);
  const header: Header = {
    columns: columns.map((name, place) => ({
      name: cut(name, maxCellLength),
      samples: samplesOf(records, place),
    })),
    encodings,
    sure,
  };
  return { encoding, delimiter, header, records };
}

/** The first values of a column; none where it is empty throughout. */
function samplesOf(records: readonly string[][], place: number): string[] {
  const found: string[] = [];
  for (const { [place]: value = '' } of records) {
    if (value !== '') found.push(cut(value, sampleLength));
    if (found.length === samples) break;
  }
  return found;
}

/** A value as it can be kept and shown: short, and without the character that a database cannot hold. */
function cut(value: string, most: number): string {
  return value.slice(0, most).toWellFormed().replaceAll('\0', '\ufffd');
}

export interface Matched {
  mapping: Mapping;
  /** False: a person has to say what the columns are, since one that has values would be left out unseen. */
  isMatched: boolean;
}

/** The company's last mapping of files with these columns; else by the columns' names. */
export async function mappingFor(tx: Tx, { header }: CsvReading): Promise<Matched> {
  const known = await findMapping(tx, headerHash(header));
  const names = header.columns.map(({ name }) => name);
  const mapping = known?.mapping ?? matchColumns(names);
  const settled = new Set([...Object.values(mapping), ...(known?.filled ?? [])]);
  const isSettled = (place: number) => settled.has(place) || isReasons(names[place] ?? '');
  return { mapping, isMatched: known?.filled === null || filledOf(header).every(isSettled) };
}

/** Places of the columns that have values. */
export function filledOf({ columns }: Header): number[] {
  return columns.flatMap(({ samples: values }, place) => (values.length > 0 ? [place] : []));
}

export function headerHash({ columns }: Header): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(columns.map(({ name }) => name)))
    .digest();
}

/** None while the columns are not matched: a row without an amount or a payee would be nothing but errors. */
export function rowsOf({ records }: CsvReading, { mapping, isMatched }: Matched): Written[] {
  return isMatched && isMapped(mapping) ? records.map((record) => writtenOf(record, mapping)) : [];
}

export function asRow(written: Written): { id: string; written: Written } {
  return { id: newId(), written };
}

/** The file's name without its extension. */
function nameOf(fileName: string): string {
  const bare = withoutInvisible(fileName)
    .trim()
    .replace(/\.(?:csv|txt|xml|tsv)$/i, '')
    .trim();
  return bare.slice(0, batchNameMaxLength).toWellFormed().trim() || 'Batch';
}
