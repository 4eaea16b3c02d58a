import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { findPeople } from '../../organisation/index.ts';
import type { NoticeValues } from '../domain.ts';
import { notify } from './giving.ts';

/** What features to the right tell as notices of security, beside what organisation announces. */
export type SecurityNotice = 'reviewOn' | 'reviewOff' | 'onlyWhitelistedOff';

/**
 * Informs everyone who may change approval rules, by a notice and by a mail that cannot be switched off, of changes to what the two-person control
 * rests on (ADR 0037). `notice.security.<what>.title` and `.body` of the catalogues.
 */
export async function tellRuleManagers(
  tx: Tx,
  what: SecurityNotice,
  { by, link }: { by: string; link: string },
): Promise<void> {
  const people = await findPeople(tx);
  const managers = people.filter(
    ({ status, permissions }) => status === 'active' && permissions.includes('rule.manage'),
  );
  const values: NoticeValues = { by };
  await notify(tx, { kind: `security.${what}`, sourceId: newId(), values, link, to: managers.map(({ id }) => id) });
}
