import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { Effect } from '@causeway/contract/effect.ts';
import type { getCompanySettings, setCompanySettings } from '@causeway/contract/organisation.ts';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { difference } from '../domain.ts';
import { findCodeAdministrators } from '../store/members.ts';
import { type CompanySettings, findCompanySettings, isKnownTimeZone, saveCompanySettings } from '../store/settings.ts';
import { type Changing, changeOrPropose, type OrganisationContext, record } from './change.ts';
import { tellControl } from './control.ts';
import { findPeople } from './people.ts';
import type { ControlState } from './second-person.ts';

/**
 * Whom the code of each initiator's transfer is mailed to, in their order; identity's port. By the setting `administrator` these are
 * the active administrators other than the initiator; a sole administrator confirms their own, since no one else could.
 */
export async function findCodeRecipients(
  tx: CompaniesTx,
  initiators: readonly { companyId: string; userId: string }[],
): Promise<readonly (readonly string[])[]> {
  const administrators = await findCodeAdministrators(
    tx,
    initiators.map(({ companyId }) => companyId),
  );
  return initiators.map(({ companyId, userId }) =>
    (administrators.get(companyId) ?? []).filter((administrator) => administrator !== userId),
  );
}

/** The company's settings, and how many members could approve what they put under approval. */
export async function getSettings(tx: Tx): Promise<OutputInput<typeof getCompanySettings>> {
  const people = await findPeople(tx);
  const approvers = people.filter(({ permissions }) => permissions.includes('approval.decide'));
  return { ...(await findCompanySettings(tx)), approverCount: approvers.length };
}

/** Changes the company's settings, or proposes it. @throws DomainError approvalRulesHeld, validationFailed (the time zone is unknown) */
export async function saveSettings(
  tx: Tx,
  context: OrganisationContext,
  body: Body<typeof setCompanySettings>,
): Promise<CompanySettings & Effect> {
  return changeOrPropose(tx, context, changingSettings(body));
}

export function changingSettings(body: Body<typeof setCompanySettings>): Changing<CompanySettings> {
  return {
    kind: 'setCompanySettings',
    permission: 'setting.manage',
    input: body,
    state: settingsState,
    make: (tx, _, context) => writeSettings(tx, body, context),
    widensBesides: async (tx) => (widens(await findCompanySettings(tx), body) ? [] : null),
  };
}

async function settingsState(tx: Tx): Promise<ControlState> {
  const settings = await findCompanySettings(tx);
  const {
    timeZone,
    codeRecipient,
    waitingHours,
    forbidOwnApprovers,
    approveNewPayees,
    changedPayeeDays,
    baseCurrency,
  } = settings;
  const say = (on: boolean) => ({ text: on ? 'control.value.on' : 'control.value.off' });
  return {
    subject: null,
    subjectId: null,
    fields: {
      timeZone,
      codeRecipient: { text: `notice.security.codeTo.${codeRecipient}` },
      waitingHours: waitingHours.toString(),
      forbidOwnApprovers: say(forbidOwnApprovers),
      approveNewPayees: say(approveNewPayees),
      changedPayeeDays: changedPayeeDays.toString(),
      baseCurrency,
    },
    basis: settings,
  };
}

/** Another time zone gives a day's limits twice; who reads the codes of transfers is changed in either direction. */
function widens(before: CompanySettings, after: Body<typeof setCompanySettings>): boolean {
  return (
    after.timeZone !== before.timeZone ||
    after.codeRecipient !== before.codeRecipient ||
    (after.waitingHours ?? before.waitingHours) < before.waitingHours ||
    (before.forbidOwnApprovers && after.forbidOwnApprovers === false) ||
    (before.approveNewPayees && after.approveNewPayees === false) ||
    (after.changedPayeeDays ?? before.changedPayeeDays) < before.changedPayeeDays
  );
}

async function writeSettings(
  tx: Tx,
  body: Body<typeof setCompanySettings>,
  context: SignedInContext,
): Promise<CompanySettings> {
  const { timeZone, codeRecipient } = body;
  const known = isTimeZone(timeZone) && (await isKnownTimeZone(tx, timeZone));
  if (!known) throw new DomainError('validationFailed', {}, { timeZone: 'field.timeZone' });
  const before = await findCompanySettings(tx);
  const after: CompanySettings = {
    timeZone,
    codeRecipient,
    waitingHours: body.waitingHours ?? before.waitingHours,
    forbidOwnApprovers: body.forbidOwnApprovers ?? before.forbidOwnApprovers,
    approveNewPayees: body.approveNewPayees ?? before.approveNewPayees,
    changedPayeeDays: body.changedPayeeDays ?? before.changedPayeeDays,
    baseCurrency: body.baseCurrency ?? before.baseCurrency,
  };
  if (after.codeRecipient !== before.codeRecipient) {
    const values = { to: { text: `notice.security.codeTo.${after.codeRecipient}` } };
    await tellControl(tx, context, { what: 'codeRecipient', values, link: '/app/company-settings' });
  }
  await saveCompanySettings(tx, after);
  const company = { kind: 'company', id: context.session.companyId } as const;
  await record(tx, context, 'changeSettings', company, difference(before, after));
  return after;
}

/** Whether the program can count days by it too: timelines and receipts are written here. */
function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
