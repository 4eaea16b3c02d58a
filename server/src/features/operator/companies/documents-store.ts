import type { AttachmentType } from '@causeway/contract/files-rules.ts';
import { listCompanyDocuments } from '@causeway/contract/operator-companies.ts';
import type { DocumentKind } from '@causeway/contract/operator-companies-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';

/** The rows of papers about companies; their bytes are in the object store. */

export interface DocumentRow {
  id: string;
  kind: DocumentKind;
  name: string;
  type: AttachmentType;
  sizeBytes: number;
  at: Date;
  operatorId: string;
  operatorName: string;
}

export const documentList = defineList(listCompanyDocuments, {
  from: () => sql`operator_document d join operator_account o on o.id = d.operator_id`,
  where: (companyId: string) => sql`d.company_id = ${companyId}`,
  filters: { kind: (kind) => sql`d.kind = ${kind}` },
  columns: () =>
    sql<DocumentRow>`d.id, d.kind, d.name, d.type, d.size_bytes as "sizeBytes", d.at, d.operator_id as "operatorId",
      o.name as "operatorName"` as RawBuilder<DocumentRow>,
  orders: { time: { by: sql`d.at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`d.id`,
});

interface NewDocument {
  id: string;
  companyId: string;
  kind: DocumentKind;
  storageName: string;
  name: string;
  type: AttachmentType;
  sizeBytes: number;
  sha256: Buffer;
  operatorId: string;
}

export async function insertDocument(tx: Tx, document: NewDocument): Promise<void> {
  await sql`
    insert into operator_document (id, company_id, kind, storage_name, name, type, size_bytes, sha256, operator_id)
    values (${document.id}, ${document.companyId}, ${document.kind}, ${document.storageName}, ${document.name},
      ${document.type}, ${document.sizeBytes}, ${document.sha256}, ${document.operatorId})`.execute(tx);
}

export interface StoredDocument extends Pick<DocumentRow, 'id' | 'kind' | 'name' | 'type'> {
  companyId: string;
  companyName: string;
  storageName: string;
  sha256: Buffer;
}

export async function findDocument(tx: PlatformTx, id: string): Promise<StoredDocument | null> {
  const { rows } = await sql<StoredDocument>`
    select d.id, d.kind, d.name, d.type, d.company_id as "companyId", c.name as "companyName", d.storage_name as "storageName", d.sha256
    from operator_document d join company c on c.company_id = d.company_id where d.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}
