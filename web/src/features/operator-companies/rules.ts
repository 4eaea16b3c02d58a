import { invitationDaysMax, operatorNoteMaxLength } from '@causeway/contract/operator-companies-rules.ts';
import type { DateRange } from '../../lib/days.ts';
import type { Checked } from '../../ui/form-state.ts';
import { checked, requiredRule } from '../identity/index.ts';

/** The rules of the forms about companies, without a schema library; the server checks everything again. */

const tooLong = (text: string, most: number) => ([...text.trim()].length > most ? 'field.tooLong' : null);

export interface NoteValues {
  text: string;
}

export function checkNote({ text }: NoteValues): Checked<NoteValues> {
  return checked({ text: text.trim() }, { text: requiredRule(text) ?? tooLong(text, operatorNoteMaxLength) });
}

export const invitationNoteMaxLength = 200;

export interface InvitationValues {
  note: string;
  days: string;
}

/** For whom, and for how many whole days. */
export function checkInvitation({ note, days }: InvitationValues): Checked<InvitationValues> {
  const count = /^\d{1,3}$/.test(days.trim()) ? Number(days) : 0;
  return checked(
    { note: note.trim(), days: days.trim() },
    {
      note: requiredRule(note) ?? tooLong(note, invitationNoteMaxLength),
      days: count >= 1 && count <= invitationDaysMax ? null : 'ops.companies.rule.days',
    },
  );
}

/** The list of a company's completed transactions of these days, of one asset where it is named. */
export function paymentsOf(companyId: string, { from, to }: DateRange, asset?: string): string {
  const query = new URLSearchParams({
    company: companyId,
    status: 'completed',
    from,
    to,
    ...(asset && { coin: asset }),
  });
  return `/app/payments?${query}`;
}

/** All days of a month (`2026-11`). */
export function daysOfMonth(month: string): DateRange {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return { from: `${month}-01`, to: `${month}-${last}` };
}
