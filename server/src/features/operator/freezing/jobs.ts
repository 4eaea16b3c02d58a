import type { FreezeKind, FreezeReason } from '@causeway/contract/freeze-rules.ts';
import type { Support } from '@causeway/contract/live.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { JobDefinition } from '../../../platform/jobs/jobs.ts';
import { type ApprovalSubjects, tellOfFrozenMember } from '../../approvals/index.ts';
import { freezeReference } from '../../identity/index.ts';
import { type NoticeFact, type NoticeToGive, notify } from '../../notices/index.ts';
import { findPeople } from '../../organisation/index.ts';
import { frozenEvent, type Unfrozen, unfrozenEvent } from './events.ts';
import { takeAnnouncement } from './store.ts';

export interface FreezingPorts {
  /** Everything that is approved: of a frozen member's decisions, some can be taken by no one else. */
  subjects: ApprovalSubjects;
  support: Support;
}

/** Informs the people of a company of what the operator has frozen, and of what is free again: in the console and by mail, always. */
export function freezingJobs({ subjects, support }: FreezingPorts): JobDefinition[] {
  return [
    {
      name: 'operator.tellFrozen',
      on: [frozenEvent],
      run: ({ companyId, database }, { freezeId }) =>
        database.withCompany(companyId, async (tx) => {
          const freeze = await takeAnnouncement(tx, String(freezeId));
          if (!freeze) return;
          const facts = factsOf(String(freezeId), support);
          await tell(tx, { ...freeze, id: String(freezeId), state: 'Frozen', facts });
          if (freeze.tookRights) await tellOfFrozenMember(tx, subjects, freeze.subjectId);
        }),
    },
    {
      name: 'operator.tellUnfrozen',
      on: [unfrozenEvent],
      run: ({ companyId, database }, payload) =>
        database.withCompany(companyId, (tx) =>
          tell(tx, { ...unfrozenOf(payload), reason: null, state: 'Unfrozen', facts: [] }),
        ),
    },
  ];
}

/** An event of an earlier release has one name for all languages. */
function unfrozenOf(payload: Record<string, unknown>): Unfrozen {
  const { name, names, ...unfrozen } = payload as unknown as Unfrozen & { name?: string };
  return { ...unfrozen, names: names ?? { 'en-us': name ?? '', 'zh-hk': name ?? '', 'zh-cn': name ?? '' } };
}

/** What the mail of a freeze adds: whom to contact, as far as the installation names them, and what to quote. */
function factsOf(freezeId: string, { email, phone }: Support): NoticeFact[] {
  const contacts = [
    { label: 'notice.support.email', value: email },
    { label: 'notice.support.phone', value: phone },
  ].flatMap(({ label, value }) => (value === null ? [] : [{ label, value }]));
  return [...contacts, { label: 'notice.freeze.reference', value: freezeReference(freezeId) }];
}

interface Told extends Unfrozen {
  reason: FreezeReason | null;
  state: 'Frozen' | 'Unfrozen';
  facts: readonly NoticeFact[];
}

/** Whom it concerns: those who could act, or must know why others cannot. */
const concerns: Record<FreezeKind, readonly Permission[]> = {
  company: ['member.manage', 'approval.decide', 'transfer.create'],
  wallet: ['member.manage', 'approval.decide', 'transfer.create'],
  member: ['member.manage'],
};

const pages: Record<FreezeKind, (id: string) => string> = {
  company: () => '/app/home',
  wallet: (id) => `/app/wallet/${id}`,
  member: (id) => `/app/member-management/${id}`,
};

async function tell(tx: Tx, { kind, subjectId, names, id, reason, state, facts }: Told): Promise<void> {
  const people = (await findPeople(tx)).filter(
    ({ status, permissions }) => status === 'active' && concerns[kind].some((needed) => permissions.includes(needed)),
  );
  const to = [...new Set([...people.map((person) => person.id), ...(kind === 'member' ? [subjectId] : [])])];
  // A notice has one text for all languages' blanks: the operator's own words are in the console.
  const values: NoticeToGive['values'] =
    reason === null
      ? { name: { in: names } }
      : {
          name: { in: names },
          reason: { text: reason === 'other' ? 'freeze.reason.inConsole' : `freeze.reason.${reason}` },
        };
  await notify(tx, { kind: `security.${kind}${state}`, sourceId: id, values, link: pages[kind](subjectId), to, facts });
}
