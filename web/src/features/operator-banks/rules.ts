import type { Checked } from '../../ui/form-state.ts';
import { checked } from '../identity/index.ts';
import { type ReasonValues, reasonRule } from '../operator/index.ts';

/** The rules of the dialog that proposes a credit; the server checks everything again. Messages are text ids. */

export interface CreditValues extends ReasonValues {
  companyId: string;
}

/** A company, and why it is its money. */
export function checkCredit({ companyId, reason }: CreditValues): Checked<CreditValues> {
  return checked(
    { companyId, reason: reason.trim() },
    { companyId: companyId === '' ? 'field.required' : null, reason: reasonRule(reason) },
  );
}
