import type { StoredFile } from '@causeway/contract/files.ts';
import { sql } from 'kysely';
import type { CompaniesTx, PlatformTx, Tx } from '../../platform/database/database.ts';

export interface FileRow {
  id: string;
  storageName: string;
  name: string;
  type: StoredFile['type'];
  sizeBytes: number;
  sha256: Buffer;
  createdAt: Date;
}

const columns = sql`id, storage_name as "storageName", name, type, size_bytes as "sizeBytes", sha256,
  created_at as "createdAt"`;

export async function insertFile(
  tx: Tx,
  file: Omit<FileRow, 'createdAt'> & { uploadedBy: string },
): Promise<FileRow[]> {
  const { rows } = await sql<FileRow>`
    insert into file (company_id, id, storage_name, name, type, size_bytes, sha256, uploaded_by)
    values (company_id(), ${file.id}, ${file.storageName}, ${file.name}, ${file.type}, ${file.sizeBytes},
      ${file.sha256}, ${file.uploadedBy}) returning ${columns}`.execute(tx);
  return rows;
}

export interface UndecidedFile {
  companyId: string;
  id: string;
}

/** Uploads of whatever company, a day old or older, of which it is not known yet that something names them. */
export async function undecidedFiles(tx: PlatformTx, limit: number): Promise<UndecidedFile[]> {
  const { rows } = await sql<UndecidedFile>`
    select company_id as "companyId", id from file
    where created_at < now() - interval '1 day' and not kept order by created_at limit ${limit}`.execute(tx);
  return rows;
}

/** Removes the row and returns the name of its bytes; a foreign key violation means that the file is still referenced. */
export async function deleteFile(tx: Tx, id: string): Promise<string | null> {
  const { rows } = await sql<{ storageName: string }>`
    delete from file where company_id = company_id() and id = ${id}
    returning storage_name as "storageName"`.execute(tx);
  return rows[0]?.storageName ?? null;
}

export async function keepFile(tx: Tx, id: string): Promise<void> {
  await sql`update file set kept = true where company_id = company_id() and id = ${id}`.execute(tx);
}

/**
 * For each request its company's files of these ids, in the order of the ids; of an id that names none there is no file. The
 * sub-select hides from PostgreSQL how many are asked for, so that it keeps one plan.
 */
export async function readFiles(
  tx: CompaniesTx,
  requests: readonly { companyId: string; ids: readonly string[] }[],
): Promise<FileRow[][]> {
  const wanted = requests.flatMap(({ companyId, ids }, place) => ids.map((id) => ({ companyId, id, place })));
  const files: FileRow[][] = requests.map(() => []);
  if (wanted.length === 0) return files;
  const { rows } = await sql<FileRow & { place: number }>`
    select r.place, f.*
    from unnest((select ${wanted.map(({ place }) => place)}::integer[]), ${wanted.map(({ companyId }) => companyId)}::uuid[],
      ${wanted.map(({ id }) => id)}::uuid[]) with ordinality as r (place, company_id, file_id, position)
    cross join lateral (select ${columns} from file where company_id = r.company_id and id = r.file_id offset 0) f
    order by r.position`.execute(tx);
  for (const { place, ...file } of rows) files[place]?.push(file);
  return files;
}
