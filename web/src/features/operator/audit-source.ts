import {
  exportOperatorAudit,
  getOperatorAuditEvent,
  getOperatorAuditKey,
  listOperatorAudit,
  listOperatorAuditFilters,
} from 'virtual:calls/operator-audit';
import { type AuditSource, auditListOf } from '../audit/index.ts';

/** The operator's own log. */
export const operatorAuditSource: AuditSource = {
  list: listOperatorAudit,
  event: getOperatorAuditEvent,
  filters: listOperatorAuditFilters,
  export: exportOperatorAudit,
  key: getOperatorAuditKey,
  permission: 'operator.audit',
  path: '/app/audit-log',
  subjectPages: { operator: '/app/staff', proposal: '/app/confirmations' },
  texts: { intro: 'ops.audit.intro', key: 'ops.audit.key' },
};

export const operatorAuditList = auditListOf(operatorAuditSource);
