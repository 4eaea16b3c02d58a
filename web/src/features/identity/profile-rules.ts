import { readMobile } from '@causeway/contract/calling-codes.ts';
import { isPersonName } from '@causeway/contract/person-names.ts';
import type { Checked } from '../../ui/form-state.ts';
import { checked, type Rule, requiredRule } from './rules.ts';

/** What a person may say of themselves; apart from `rules.ts`, since the calling codes would weigh on sign-in. */

export interface ProfileValues {
  firstName: string;
  lastName: string;
  mobileCountryCode: string;
  mobile: string;
}

const personNameRule: Rule<string> = (value) =>
  value.trim() === '' || isPersonName(value.trim()) ? null : 'field.personName';

/** The mobile number may be left out. */
export function checkProfile(values: ProfileValues): Checked<ProfileValues> {
  const { firstName, lastName, mobileCountryCode, mobile } = values;
  const read = mobile.trim() === '' ? null : readMobile(mobileCountryCode, mobile);
  return checked(values, {
    firstName: requiredRule(firstName) ?? personNameRule(firstName),
    lastName: personNameRule(lastName),
    mobileCountryCode: read === 'countryCode' ? 'ui.mobile.codeWrong' : null,
    mobile: read === 'number' ? 'ui.mobile.numberWrong' : null,
  });
}
