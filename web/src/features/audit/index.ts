/** The audit log of the operator looks as a company's does. */
export { AuditLog } from './components/audit-log.tsx';
export { AuditPanel } from './components/audit-panel.tsx';
export { Changes } from './components/changes.tsx';
export { auditListOf } from './lists/audit-list.tsx';
export type { AuditSource } from './source.ts';
