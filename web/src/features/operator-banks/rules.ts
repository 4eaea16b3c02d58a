import type { Checked } from '../../ui/form-state.ts';
import { checked } from '../identity/index.ts';
import { type ReasonValues, reasonRule } from '../operator/index.ts';

/** The rules of the dialogs that propose something; the server checks everything again. Messages are text ids. */

export interface CreditValues extends ReasonValues {
  companyId: string;
}

export interface UploadValues extends ReasonValues {
  bank: string;
}

/** Of which bank the file is, and why it is taken in by hand. */
export function checkUpload({ bank, reason }: UploadValues): Checked<UploadValues> {
  return checked(
    { bank, reason: reason.trim() },
    { bank: bank === '' ? 'field.required' : null, reason: reasonRule(reason) },
  );
}

/** A company, and why it is its money. */
export function checkCredit({ companyId, reason }: CreditValues): Checked<CreditValues> {
  return checked(
    { companyId, reason: reason.trim() },
    { companyId: companyId === '' ? 'field.required' : null, reason: reasonRule(reason) },
  );
}
