import type { Body } from '@causeway/contract/call.ts';
import type { Language } from '@causeway/contract/locale.ts';
import { addMember, editMember } from '@causeway/contract/organisation.ts';
import { byContract } from '../../ui/by-contract.ts';
import type { Checked } from '../../ui/form-state.ts';
import type { Member } from './api.ts';

/** What the form of a member holds. */
export interface MemberValues {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  roleId: string;
  departmentId: string;
  mobileCountryCode: string;
  mobile: string;
  /** In which the activation mail is written; when adding. */
  language: Language;
}

/** Most members of the companies that Causeway was made for have a number in Hong Kong. */
const usualCountryCode = '852';

export function newMember(id: string, language: Language): MemberValues {
  return {
    id,
    firstName: '',
    lastName: '',
    email: '',
    roleId: '',
    departmentId: '',
    mobileCountryCode: usualCountryCode,
    mobile: '',
    language,
  };
}

export function valuesOf(member: Member): MemberValues {
  return {
    ...newMember(member.id, member.language),
    firstName: member.firstName,
    lastName: member.lastName,
    email: member.email,
    roleId: member.role.id,
    departmentId: member.department?.id ?? '',
    mobileCountryCode: member.mobileCountryCode ?? usualCountryCode,
    mobile: member.mobile ?? '',
  };
}

export const checkNewMember: (values: MemberValues) => Checked<Body<typeof addMember>> = byContract(addMember.body);

const checkEdited = byContract(editMember.body);

/** Language is not editable here: a member's own choice is kept. */
export function checkMember({ language: _, ...values }: MemberValues): Checked<Body<typeof editMember>> {
  return checkEdited(values);
}

/**
 * A colleague who is called just the same, for a form to say so: people share names, and then the email tells them apart. Case and
 * spaces do not count, nor which of the two names comes first.
 */
export function namesakeOf(
  { id, firstName, lastName }: Pick<MemberValues, 'id' | 'firstName' | 'lastName'>,
  people: readonly { id: string; name: string }[],
): string | null {
  const bare = (text: string) => text.normalize('NFKC').replaceAll(/\s/g, '').toLowerCase();
  const names = [bare(firstName + lastName), bare(lastName + firstName)];
  if (names[0] === '') return null;
  return people.find((person) => person.id !== id && names.includes(bare(person.name)))?.name ?? null;
}
