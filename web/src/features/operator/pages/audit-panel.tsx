import { AuditPanel } from '../../audit/index.ts';

/** One entry beside the operator's log. */
export function Page() {
  return <AuditPanel />;
}
