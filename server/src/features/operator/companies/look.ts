import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type OperatorContext } from '../../../platform/session.ts';
import { type CompanyRow, findCompany, insertLook } from './store.ts';

/**
 * The company, with the look in the operator's log: once for each operator, company and hour, so that a page that is read again, or reads
 * several parts, writes no second entry. @throws DomainError notFound
 */
export async function lookAt(tx: Tx, context: OperatorContext, companyId: string): Promise<CompanyRow> {
  const company = await findCompany(tx, companyId);
  if (!company) throw new DomainError('notFound');
  if (!(await insertLook(tx, context.session.userId, companyId))) return company;
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.look',
    subjectKind: 'company',
    subjectId: companyId,
    detail: { name: company.name },
  });
  return company;
}
