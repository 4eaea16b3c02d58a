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
  list: listOperatorAudit as never,
  event: getOperatorAuditEvent as never,
  filters: listOperatorAuditFilters as never,
  export: exportOperatorAudit as never,
  key: getOperatorAuditKey as never,
  permission: 'operator.audit',
  path: '/app/audit-log',
  subjectPages: { operator: '/app/staff' },
  texts: { intro: 'operator.audit.intro', key: 'operator.audit.key' },
};

export const operatorAuditList = auditListOf(operatorAuditSource);
