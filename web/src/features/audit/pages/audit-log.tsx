import { companyAuditList, companySource } from '../company-source.ts';
import { AuditLog } from '../components/audit-log.tsx';

/** The company's log. */
export function Page() {
  return <AuditLog source={companySource} list={companyAuditList} />;
}
