import type { UnderstoodFile } from '@causeway/contract/operator-bank-uploads.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import type { PlaceNames } from '../../banks/index.ts';

/** Files of banks that operators uploaded, until two of them agree. */

export interface UploadRow extends PlaceNames {
  id: string;
  bank: string;
  fileName: string;
  bytes: number;
  sha256: string;
  understood: UnderstoodFile;
  /** The bank's message of the same content has come meanwhile. */
  isKnown: boolean;
}

export async function insertUpload(
  tx: Tx,
  upload: Pick<UploadRow, 'id' | 'bank' | 'fileName' | 'sha256' | 'understood'> & { content: Buffer; by: string },
): Promise<void> {
  const { id, bank, fileName, sha256, content, understood, by } = upload;
  await sql`
    insert into operator_bank_upload (id, bank_id, name, sha256, content, understood, uploaded_by)
    values (${id}, ${bank}, ${fileName}, decode(${sha256}, 'hex'), ${content}, ${JSON.stringify(understood)}::jsonb, ${by})`.execute(
    tx,
  );
}

export async function findUpload(tx: PlatformTx, id: string): Promise<UploadRow | null> {
  const { rows } = await sql<UploadRow>`
    select u.id, u.bank_id as bank, b.name, b.name_zh_hk as "nameZhHk", b.name_zh_cn as "nameZhCn", u.name as "fileName",
      length(u.content) as bytes, encode(u.sha256, 'hex') as sha256, u.understood,
      exists (select from bank_message m where m.bank_id = u.bank_id and m.sha256 = u.sha256 and m.state <> 'copy') as "isKnown"
    from operator_bank_upload u join bank b on b.id = u.bank_id where u.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

export async function readUploadContent(tx: PlatformTx, id: string): Promise<Buffer | null> {
  const { rows } = await sql<{ content: Buffer }>`select content from operator_bank_upload where id = ${id}`.execute(
    tx,
  );
  return rows[0]?.content ?? null;
}

/** What the bank's message of this content is called, if there is one. */
export async function findKnownName(tx: PlatformTx, bank: string, sha256: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`
    select name from bank_message where bank_id = ${bank} and sha256 = decode(${sha256}, 'hex') and state <> 'copy'`.execute(
    tx,
  );
  return rows[0]?.name ?? null;
}

/** Another upload of the same content is to be confirmed. */
export async function isProposedElsewhere(tx: PlatformTx, { bank, sha256 }: UploadRow): Promise<boolean> {
  const { rows } = await sql`
    select from operator_proposal p join operator_bank_upload u on p.subject_id = u.id::text
    where p.kind = 'bankFile.take' and p.state = 'open' and p.expires_at > now()
      and u.bank_id = ${bank} and u.sha256 = decode(${sha256}, 'hex')`.execute(tx);
  return rows.length > 0;
}
