import { AuditPanel } from '../components/audit-panel.tsx';

/** One entry beside the company's log. */
export function Page() {
  return <AuditPanel />;
}
