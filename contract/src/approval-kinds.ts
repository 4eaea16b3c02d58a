/**
 * The kinds of things that are approved, as data for filters; each is named by `approvals.kind.<kind>` in the web app's texts. A kind is
 * a key that its feature registers on the server (`server/src/approval-subjects.ts`, whose test holds the two equal).
 */
export const approvalKinds: readonly string[] = [
  'transfer',
  'payment',
  'exchange',
  'batch',
  'trade',
  'payee',
  'bank_payee',
  'rule_change',
  'control_change',
];
