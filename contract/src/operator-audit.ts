import * as z from 'zod/mini';
import { exportAudit, getAuditEvent, getAuditKey, listAudit, listAuditFilters } from './audit.ts';
import { call } from './call.ts';

/** The operator's own sealed audit log: the same calls as a company's, for what belongs to no company. Part of the feature operator. */

export const listOperatorAudit = call({
  ...listAudit,
  name: 'listOperatorAudit',
  path: '/operator/audit',
  summary: "The operator's audit log, newest first.",
  access: 'operator.audit',
});

export const getOperatorAuditEvent = call({
  ...getAuditEvent,
  name: 'getOperatorAuditEvent',
  path: '/operator/audit/event/{id}',
  summary: "One entry of the operator's audit log, with the first checkpoint that covers it.",
  access: 'operator.audit',
});

export const listOperatorAuditFilters = call({
  ...listAuditFilters,
  name: 'listOperatorAuditFilters',
  path: '/operator/audit/filters',
  summary: "What the operator's audit log can be filtered by.",
  access: 'operator.audit',
  output: z.extend(listAuditFilters.output, {}),
});

export const exportOperatorAudit = call({
  ...exportAudit,
  name: 'exportOperatorAudit',
  path: '/operator/audit/export',
  summary: "The operator's audit log as a file, to be verified off-line with `npm run audit:verify`.",
  access: 'operator.audit',
});

export const getOperatorAuditKey = call({
  ...getAuditKey,
  name: 'getOperatorAuditKey',
  path: '/operator/audit/key',
  summary: 'The public keys with which checkpoints are signed, newest first.',
  access: 'operator.audit',
});
