import type { OutputInput } from '@causeway/contract/call.ts';
import type { getOperatorTransaction } from '@causeway/contract/operator-transactions.ts';
import { type AuditNames, listAbout } from '../../../platform/audit/about.ts';
import type { Database } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { OperatorContext, SignedInContext } from '../../../platform/session.ts';
import { explain } from '../../risk/index.ts';
import { describe, type TransactionParts } from '../../transactions/index.ts';
import { lookAt } from '../companies/look.ts';
import { attemptsOf, queueOf } from './attempts.ts';
import { postingsOf } from './books.ts';
import { requestsOf } from './requests.ts';
import { findCompanyOf } from './store.ts';
import { workOf } from './work.ts';

export interface TransactionsPorts extends TransactionParts {
  /** What a company's audit log calls things. */
  names: AuditNames;
}

/**
 * One transaction, explained by the code that explains it to its company: read in a transaction of that company, by a reader who is none of
 * its members and may do nothing there. The look is noted first, so that none is without its entry.
 * @throws DomainError notFound
 */
export async function describeTransaction(
  context: OperatorContext & TransactionsPorts & { database: Database },
  { id }: { id: string },
): Promise<OutputInput<typeof getOperatorTransaction>> {
  const { database, session, locale } = context;
  const company = await database.withCompany(session.companyId, async (tx) => {
    const found = await findCompanyOf(tx, id);
    if (!found) throw new DomainError('notFound');
    await lookAt(tx, context, found.id);
    return found;
  });
  return database.withCompany(
    company.id,
    async (tx) => {
      const transaction = await describe(tx, { ...context, ...readerOf(context, company.id) }, { id });
      const audit = await listAbout(tx, context, { ids: idsOf(transaction) });
      return {
        company,
        transaction,
        attempts: await attemptsOf(tx, id),
        queue: await queueOf(tx, id),
        postings: await postingsOf(tx, id),
        ...(await workOf(tx, id)),
        risk: await explain(tx, id, locale),
        audit,
        requests: await requestsOf(tx, audit),
      };
    },
    { readOnly: true },
  );
}

/** The transaction and its approval. */
function idsOf({ id, approvalTaskId }: { id: string; approvalTaskId: string | null }): string[] {
  return approvalTaskId === null ? [id] : [id, approvalTaskId];
}

function readerOf({ session }: OperatorContext, companyId: string): Pick<SignedInContext, 'session'> {
  const { id, userId, userName } = session;
  return { session: { id, companyId, userId, userName, permissions: [] } };
}
