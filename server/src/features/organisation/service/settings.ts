import type { Body } from '@causeway/contract/call.ts';
import type { setCompanySettings } from '@causeway/contract/organisation.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { difference } from '../domain.ts';
import { findActiveAdministrators } from '../store/members.ts';
import { type CompanySettings, findCompanySettings, isKnownTimeZone, saveCompanySettings } from '../store/settings.ts';
import { tellControl } from './control.ts';
import { change, type OrganisationDeps, record } from './core.ts';

/**
 * Whom a transfer's code is mailed to; identity's port. By the setting `administrator` these are the active administrators other
 * than the initiator; an only administrator confirms their own, as nobody else could.
 */
export async function findCodeRecipients(tx: Tx, initiatorId: string): Promise<readonly string[]> {
  const { codeRecipient } = await findCompanySettings(tx);
  if (codeRecipient === 'initiator') return [];
  return (await findActiveAdministrators(tx)).filter((id) => id !== initiatorId);
}

export async function readSettings(deps: OrganisationDeps, { session }: SignedInContext): Promise<CompanySettings> {
  return deps.database.withCompany(session.companyId, findCompanySettings);
}

/** Changes the company's settings. @throws DomainError validationFailed when nobody knows the time zone */
export async function saveSettings(
  deps: OrganisationDeps,
  after: Body<typeof setCompanySettings>,
  context: SignedInContext,
): Promise<CompanySettings> {
  return change(deps, context, 'setting.manage', async (tx) => {
    const known = isTimeZone(after.timeZone) && (await isKnownTimeZone(tx, after.timeZone));
    if (!known) throw new DomainError('validationFailed', {}, { timeZone: 'field.timeZone' });
    const before = await findCompanySettings(tx);
    if (after.codeRecipient !== before.codeRecipient) {
      const values = { to: { text: `notice.security.codeTo.${after.codeRecipient}` } };
      await tellControl(tx, context, { what: 'codeRecipient', values, link: '/app/structure-management' });
    }
    await saveCompanySettings(tx, after);
    const company = { kind: 'company', id: context.session.companyId } as const;
    await record(tx, context, 'changeSettings', company, difference(before, after));
    return after;
  });
}

/** Whether the program can count days by it too: timelines and receipts are written here. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
