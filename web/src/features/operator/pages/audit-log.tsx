import { AuditLog } from '../../audit/index.ts';
import { operatorAuditList, operatorAuditSource } from '../audit-source.ts';

/** The operator's log. */
export function Page() {
  return <AuditLog source={operatorAuditSource} list={operatorAuditList} />;
}
