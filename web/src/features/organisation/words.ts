import type { ControlKind } from '@causeway/contract/control-rules.ts';
import { type Locale, languageOf } from '@causeway/contract/locale.ts';
import type { MemberStatus } from '@causeway/contract/organisation-rules.ts';
import type { Translate } from '../../lib/locale.tsx';
import type { Tone } from '../../ui/status-dot.tsx';
import type { Choices, Role } from './api.ts';

/** The word and the meaning of a member's status: the same everywhere. */
export const statusWords: Record<MemberStatus, { text: string; tone: Tone }> = {
  invited: { text: 'organisation.status.invited', tone: 'pending' },
  active: { text: 'organisation.status.active', tone: 'positive' },
  disabled: { text: 'organisation.status.disabled', tone: 'negative' },
};

/** A role's approval authority in words: US dollars, exclusive; null is without limit. It counts for those who may decide. */
export function authorityText(t: Translate, tag: string, { quotaUsd, permissions }: Role): string {
  if (!permissions.includes('approval.decide')) return t('organisation.role.noAuthority');
  if (quotaUsd === null) return t('organisation.role.unlimited');
  return t('organisation.role.lessThan', { amount: dollars(tag, quotaUsd) });
}

/** Exact: a quota may be larger than what a number holds to the cent, and `Intl` takes decimal texts exactly. */
function dollars(tag: string, amount: string): string {
  const format = new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return format.format(amount as `${number}`);
}

/** A department with those above it: "Finance / Treasury". */
export function departmentPath(departments: readonly Choices['departments'][number][], id: string): string {
  const department = departments.find((candidate) => candidate.id === id);
  if (department === undefined) return '';
  const { name, parentId } = department;
  return parentId === null ? name : `${departmentPath(departments, parentId)} / ${name}`;
}

/** The languages of mails to choose from, each by its own name. */
export function languageOptions(names: Record<Locale, string>) {
  return (Object.entries(names) as [Locale, string][]).map(([locale, label]) => ({ value: languageOf(locale), label }));
}

/** The pending changes that belong to members. */
export const memberKinds = [
  'addMember',
  'editMember',
  'setMemberStatus',
  'setMemberLeave',
  'resetMemberPassword',
] as const satisfies ControlKind[];
