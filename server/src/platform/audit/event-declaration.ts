import type { Fields } from './fields.ts';

/** What an event of the audit log can be about, and how one is declared. */

export const subjectKinds = [
  'address',
  'announcement',
  'asset',
  'batch',
  'batchRun',
  'batchTemplate',
  'card',
  'cardRule',
  'chainAsset',
  'company',
  'department',
  'exchangeLimit',
  'exchangeTerms',
  'file',
  'installation',
  'invitation',
  'job',
  'member',
  'operator',
  'otcRequest',
  'passkey',
  'payee',
  'payment',
  'paymentRequest',
  'price',
  'proposal',
  'queueItem',
  'riskListEntry',
  'riskPolicy',
  'role',
  'rule',
  'session',
  'setting',
  'standingOrder',
  'switch',
  'task',
  'trade',
  'transaction',
  'treasuryAddress',
  'gasTank',
  'trustedBrowser',
  'wallet',
  'webhook',
] as const;
export type AuditSubjectKind = (typeof subjectKinds)[number];

export interface EventDeclaration {
  of: readonly AuditSubjectKind[];
  fields: Fields;
}

/** @param kinds what the event is about */
export function of(kinds: AuditSubjectKind | readonly AuditSubjectKind[], fields: Fields = {}): EventDeclaration {
  return { of: typeof kinds === 'string' ? [kinds] : kinds, fields };
}
