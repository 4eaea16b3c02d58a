/** The words of the audit log, without a schema library, so that it can be filtered before the schemas are there. */

/** Who did it: a person of the company, the platform's operator, or the system. */
export const auditActorKinds = ['user', 'operator', 'system'] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];

/** `jsonl` is a contiguous part of the chain and can be verified off-line; `csv` is for people. */
export const auditExportFormats = ['jsonl', 'csv'] as const;
export type AuditExportFormat = (typeof auditExportFormats)[number];
