import {
  type OperatorRole,
  operatorNameMaxLength,
  operatorReasonMaxLength,
} from '@causeway/contract/operator-rules.ts';
import type { Checked } from '../../ui/form-state.ts';
import { checked, codeRule, confirmRule, emailRule, newPasswordRule, requiredRule } from '../identity/index.ts';

/** The rules of the operator's forms, without a schema library; the server checks everything again. Messages are text ids. */

/** Required, and no longer than so many characters. */
export function lineRule(value: string, maxLength: number): string | null {
  return requiredRule(value) ?? ([...value.trim()].length > maxLength ? 'field.tooLong' : null);
}

/** Why something is done: required. */
export const reasonRule = (reason: string) => lineRule(reason, operatorReasonMaxLength);

export interface CodeValues {
  code: string;
}

export function checkCode(values: CodeValues): Checked<CodeValues> {
  return checked(values, { code: codeRule(values.code) });
}

export interface ReasonValues {
  reason: string;
}

export function checkReason({ reason }: ReasonValues): Checked<ReasonValues> {
  return checked({ reason: reason.trim() }, { reason: reasonRule(reason) });
}

export interface RoleValues extends ReasonValues {
  role: OperatorRole;
}

/** Another role than the present one, with its reason. */
export function roleCheck(present: OperatorRole): (values: RoleValues) => Checked<RoleValues> {
  return ({ role, reason }) =>
    checked(
      { role, reason: reason.trim() },
      { role: role === present ? 'ops.rule.sameRole' : null, reason: reasonRule(reason) },
    );
}

export interface InviteValues extends ReasonValues {
  name: string;
  email: string;
  role: OperatorRole | '';
  language: string;
}

export function checkInvite(values: InviteValues): Checked<InviteValues> {
  const { name, email, reason } = values;
  const trimmed = { ...values, name: name.trim(), email: email.trim(), reason: reason.trim() };
  return checked(trimmed, {
    name: lineRule(name, operatorNameMaxLength),
    email: emailRule(email),
    role: values.role === '' ? 'field.required' : null,
    reason: reasonRule(reason),
  });
}

export interface ActivateValues {
  password: string;
  confirm: string;
  code: string;
}

export function activateCheck(maxLength: number): (values: ActivateValues) => Checked<ActivateValues> {
  const password = newPasswordRule(maxLength);
  return (values) =>
    checked(values, {
      password: password(values.password),
      confirm: confirmRule(values.password, values.confirm),
      code: codeRule(values.code),
    });
}

export interface ProofValues {
  currentPassword: string;
  code: string;
}

/** What proves a change of one's own sign-in. */
export function checkProof(values: ProofValues): Checked<ProofValues> {
  return checked(values, {
    currentPassword: values.currentPassword === '' ? 'field.passwordRequired' : null,
    code: codeRule(values.code),
  });
}
