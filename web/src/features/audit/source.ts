import type { exportAudit, getAuditEvent, getAuditKey, listAudit, listAuditFilters } from '@causeway/contract/audit.ts';
import type { Call } from '@causeway/contract/call.ts';
import { createContext, useContext } from 'react';
import type { LightCall } from '../../lib/light-call.ts';
import type { AnyPermission } from '../../lib/permission.ts';

/** A call that differs from a company's by what it is named and where it is alone. */
type Like<C> = { [Key in keyof C]: Key extends 'name' | 'path' | 'summary' | 'access' ? Call[Key] : C[Key] };

/** Whose log is shown: a company's, or the operator's own. */
export interface AuditSource {
  list: LightCall<Like<typeof listAudit>>;
  event: LightCall<Like<typeof getAuditEvent>>;
  filters: LightCall<Like<typeof listAuditFilters>>;
  export: LightCall<Like<typeof exportAudit>>;
  key: LightCall<Like<typeof getAuditKey>>;
  permission: AnyPermission;
  /** Where the list is; its entries are beneath. */
  path: string;
  /** Pages that show a subject itself, by its kind; its id comes after them. */
  subjectPages: Readonly<Record<string, string>>;
  /** Text ids: what the page says of itself, and to whom to compare the key with. */
  texts: { intro: string; key: string };
}

const Source = createContext<AuditSource | null>(null);

export const AuditSourceProvider = Source.Provider;

/** The log that this page shows. */
export function useAuditSource(): AuditSource {
  const source = useContext(Source);
  if (source === null) throw new Error('the audit log is drawn without a source');
  return source;
}
