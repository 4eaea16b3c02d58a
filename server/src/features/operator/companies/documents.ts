import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type * as calls from '@causeway/contract/operator-companies.ts';
import type { DocumentKind } from '@causeway/contract/operator-companies-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import type { Upload } from '../../../platform/http/call-input.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type OperatorContext } from '../../../platform/session.ts';
import { checkUpload, type ObjectStore, readBytes, storeBytes } from '../../files/index.ts';
import { documentList, findDocument, insertDocument } from './documents-store.ts';
import { findCompany } from './store.ts';

/** Papers about companies, in the operator's own store. */

export interface DocumentPorts {
  objects: ObjectStore;
}

type OpenOperator = OperatorContext & DocumentPorts & { database: Database };

/** @throws DomainError notFound, cursorInvalid */
export async function listDocuments(
  tx: Tx,
  _context: OperatorContext,
  { id, ...query }: Query<typeof calls.listCompanyDocuments> & { id: string },
): Promise<OutputInput<typeof calls.listCompanyDocuments>> {
  if (!(await findCompany(tx, id))) throw new DomainError('notFound');
  const page = await readPage(tx, documentList, query, id);
  return {
    ...page,
    items: page.items.map(({ operatorId, operatorName, at, ...document }) => ({
      ...document,
      at: at.toISOString(),
      by: { id: operatorId, name: operatorName },
    })),
  };
}

/** @throws DomainError notFound, fileEmpty, fileTooLarge, fileTypeNotAllowed, storageFull, validationFailed (its name) */
export async function addDocument(
  context: OpenOperator & { upload: Upload },
  { id: companyId, kind }: { id: string; kind: DocumentKind },
): Promise<OutputInput<typeof calls.addCompanyDocument>> {
  const { content, ...checked } = await checkUpload(context.upload);
  const sizeBytes = content.length;
  const id = newId();
  await storeBytes(context.objects, content, (storageName) =>
    context.database.withCompany(context.session.companyId, async (tx) => {
      const company = await findCompany(tx, companyId);
      if (!company) throw new DomainError('notFound');
      const operatorId = context.session.userId;
      await insertDocument(tx, { id, companyId, kind, storageName, sizeBytes, operatorId, ...checked });
      await audit(tx, {
        actor: actorOf(context),
        action: 'operator.addDocument',
        subjectKind: 'company',
        subjectId: companyId,
        detail: {
          name: company.name,
          documentKind: kind,
          fileName: checked.name,
          sizeBytes,
          sha256: checked.sha256.toString('hex'),
        },
      });
    }),
  );
  return { id, name: checked.name, sizeBytes };
}

/** Each download is logged before the bytes are read. @throws DomainError notFound */
export async function downloadDocument(context: OpenOperator, { id }: { id: string }): Promise<FileAnswer> {
  const document = await context.database.withCompany(context.session.companyId, async (tx) => {
    const found = await findDocument(tx, id);
    if (!found) throw new DomainError('notFound');
    await audit(tx, {
      actor: actorOf(context),
      action: 'operator.readDocument',
      subjectKind: 'company',
      subjectId: found.companyId,
      detail: { name: found.companyName, documentKind: found.kind, fileName: found.name },
    });
    return found;
  });
  return { name: document.name, type: document.type, content: await readBytes(context.objects, document) };
}
