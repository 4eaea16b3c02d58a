import { exportAudit, getAuditEvent, getAuditKey, listAudit, listAuditFilters } from 'virtual:calls/audit';
import { auditListOf } from './lists/audit-list.tsx';
import type { AuditSource } from './source.ts';

/** A company's own log. */
export const companySource: AuditSource = {
  list: listAudit,
  event: getAuditEvent,
  filters: listAuditFilters,
  export: exportAudit,
  key: getAuditKey,
  permission: 'audit.view',
  path: '/app/audit-log',
  subjectPages: { payee: '/app/payee', transaction: '/app/transaction', wallet: '/app/wallet' },
  texts: { intro: 'auditLog.intro', key: 'auditLog.verify.key' },
};

export const companyAuditList = auditListOf(companySource);
