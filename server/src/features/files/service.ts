import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { type AttachmentType, fileTypes, maxFileBytes, type StoredFile } from '@causeway/contract/files.ts';
import { text } from '@causeway/contract/ids.ts';
import { withoutInvisible } from '@causeway/contract/names.ts';
import * as z from 'zod/mini';
import { audit } from '../../platform/audit/record.ts';
import type { CompaniesTx, Tx } from '../../platform/database/database.ts';
import { DomainError, invariant } from '../../platform/domain-error.ts';
import type { FileAnswer } from '../../platform/http/call-answer.ts';
import type { Upload } from '../../platform/http/call-input.ts';
import { newId } from '../../platform/ids.ts';
import { actorOf, type OpenContext, type SignedInContext } from '../../platform/session.ts';
import type { ObjectStore } from './adapters/disk.ts';
import { type FileRow, insertFile, readFiles } from './store.ts';

const maxNameLength = 255;
const fileName = text(maxNameLength);

/** What the feature is composed with. */
export interface FilesPorts {
  objects: ObjectStore;
}

/** A file that may be stored, before its bytes are. */
export interface CheckedUpload {
  name: string;
  type: AttachmentType;
  content: Buffer;
  sha256: Buffer;
}

/**
 * Whether an upload may be stored: its first bytes say that it is a PDF, PNG or JPEG; the type that the upload names does not count.
 * @throws DomainError fileEmpty, fileTooLarge, fileTypeNotAllowed, validationFailed (its name)
 */
export async function checkUpload(given: Upload): Promise<CheckedUpload> {
  const { content } = given;
  const name = readName(given.name);
  if (content.length === 0) throw new DomainError('fileEmpty');
  if (content.length > maxFileBytes) throw new DomainError('fileTooLarge');
  const type = await typeOf(content);
  return { name, type, content, sha256: createHash('sha256').update(content).digest() };
}

/**
 * Stores bytes under a random name, then runs what writes their row: the bytes are there before it, and are removed again when it cannot be
 * written. @throws DomainError storageFull
 */
export async function storeBytes<T>(
  objects: ObjectStore,
  content: Buffer,
  write: (storageName: string) => Promise<T>,
): Promise<T> {
  const storageName = randomBytes(16).toString('hex');
  await objects.put(storageName, content);
  try {
    return await write(storageName);
  } catch (error) {
    await objects.remove(storageName);
    throw error;
  }
}

/** What the store has is not what was stored. */
export class AlteredFileError extends Error {}

/** The bytes as they were stored. Throws AlteredFileError where the store was tampered with. */
export async function readBytes(
  objects: ObjectStore,
  { id, storageName, sha256 }: { id: string; storageName: string; sha256: Buffer },
): Promise<Buffer> {
  const content = await buffer(await objects.get(storageName));
  const isIntact = createHash('sha256').update(content).digest().equals(sha256);
  if (!isIntact) throw new AlteredFileError(`the bytes of file ${id} are not those that were stored`);
  return content;
}

/**
 * Stores a file.
 * @throws DomainError fileEmpty, fileTooLarge, fileTypeNotAllowed, storageFull, validationFailed (its name)
 */
export async function upload(context: OpenContext & FilesPorts & { upload: Upload }): Promise<StoredFile> {
  const { database, objects, session } = context;
  const { content, ...checked } = await checkUpload(context.upload);
  const row = await storeBytes(objects, content, (storageName) => {
    const file = { id: newId(), storageName, sizeBytes: content.length, ...checked };
    return database.withCompany(session.companyId, (tx) => record(tx, context, file));
  });
  return asFile(row);
}

/**
 * Stores a file of another kind than an attachment, whose type the caller has found, with what is written beside its row.
 * @throws DomainError storageFull, validationFailed (its name)
 */
export async function storeFile<T>(
  context: OpenContext & FilesPorts,
  file: { id: string; name: string; type: StoredFile['type']; content: Buffer; sha256: Buffer },
  write: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { content, ...rest } = { ...file, name: readName(file.name) };
  return storeBytes(context.objects, content, (storageName) =>
    context.database.withCompany(context.session.companyId, async (tx) => {
      await record(tx, context, { ...rest, storageName, sizeBytes: content.length });
      return write(tx);
    }),
  );
}

/** The bytes of a file of the company, as they were stored. @throws DomainError notFound */
export async function readFile({ database, objects, session }: OpenContext & FilesPorts, id: string): Promise<Buffer> {
  const { companyId } = session;
  const read = (tx: Tx) => readFiles(tx, [{ companyId, ids: [id] }]);
  const file = (await database.withCompany(companyId, read, { readOnly: true }))[0]?.[0];
  if (!file) throw new DomainError('notFound');
  return readBytes(objects, file);
}

/**
 * The bytes as they were stored: an approver must see what was submitted, even if the object store was tampered with.
 * @throws DomainError notFound
 */
export async function download(
  { database, objects, session }: OpenContext & FilesPorts,
  { id }: { id: string },
): Promise<FileAnswer> {
  const { companyId } = session;
  const [found] = await database.withCompany(companyId, (tx) => readFiles(tx, [{ companyId, ids: [id] }]), {
    readOnly: true,
  });
  const file = found?.[0];
  if (!file) throw new DomainError('notFound');
  return { name: file.name, type: file.type, content: await readBytes(objects, file) };
}

/** The files of these ids as the contract shows them, in the order of the ids; those of others are not among them. */
export async function findFiles(tx: Tx, ids: readonly string[]): Promise<StoredFile[]> {
  const [files] = await findFilesOf(tx, [{ companyId: tx.companyId, ids }]);
  return files ?? [];
}

/** The same for several requests, each of its company; no statement where none has ids. */
export async function findFilesOf(
  tx: CompaniesTx,
  requests: readonly { companyId: string; ids: readonly string[] }[],
): Promise<StoredFile[][]> {
  return (await readFiles(tx, requests)).map((files) => files.map(asFile));
}

async function record(
  tx: Tx,
  context: SignedInContext,
  file: Omit<FileRow, 'createdAt'> & { sha256: Buffer },
): Promise<FileRow> {
  const [row] = await insertFile(tx, { ...file, uploadedBy: context.session.userId });
  invariant(row, 'an insert answers its row');
  await audit(tx, {
    actor: actorOf(context),
    action: 'files.upload',
    subjectKind: 'file',
    subjectId: file.id,
    detail: { name: file.name, type: file.type, sizeBytes: file.sizeBytes, sha256: file.sha256.toString('hex') },
  });
  return row;
}

/** A name is stored exactly as sent, or refused with the reason. */
function readName(name: string): string {
  const result = z.safeParse(fileName, name);
  if (!result.success) {
    throw new DomainError('validationFailed', {}, { file: result.error.issues[0]?.message ?? 'field.invalid' });
  }
  // A browser sends what the file system holds; the reader of a name sees all of it.
  const visible = withoutInvisible(result.data).trim();
  return visible === '' ? 'file' : visible;
}

async function typeOf(content: Buffer): Promise<AttachmentType> {
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(content);
  const type = fileTypes.find((allowed) => allowed === found?.mime);
  if (!type) throw new DomainError('fileTypeNotAllowed');
  return type;
}

function asFile(row: FileRow): StoredFile {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    sizeBytes: row.sizeBytes,
    createdAt: row.createdAt.toISOString(),
  };
}
