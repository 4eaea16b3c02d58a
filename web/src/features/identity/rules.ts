import { checkPassword, codeLength, passkeyNameMaxLength, passwordRules } from '@causeway/contract/identity-rules.ts';
import { isPersonName, personNameMaxLength } from '@causeway/contract/person-names.ts';
import type { Checked, FieldProblem } from '../../ui/form-state.ts';

/**
 * The rules of the pages before sign-in and of account security (decisions, "Sign-in"), without a schema library so
 * that the sign-in page stays light. The server checks everything again by the contract. Messages are text ids.
 */

/** One field's rule: the text id of what is wrong, or null. */
export type Rule<Value> = (value: Value) => string | null;

/** Close to the contract's `email`, which has the last word; white space around is not a mistake. */
const emailShape = /^[\w+'-]+(?:\.[\w+'-]+)*@(?:[a-z0-9][a-z0-9-]*\.)+[a-z]{2,}$/i;
const emailMaxLength = 254;

export const emailRule: Rule<string> = (value) => {
  const email = value.trim();
  if (email === '') return 'field.emailRequired';
  return email.length <= emailMaxLength && emailShape.test(email) ? null : 'field.email';
};

export const codeRule: Rule<string> = (value) =>
  new RegExp(`^[0-9]{${codeLength}}$`).test(value) ? null : 'field.code';

const personNameRule: Rule<string> = (value) => {
  if ([...value.trim()].length > personNameMaxLength) return 'field.tooLong';
  return value.trim() === '' || isPersonName(value.trim()) ? null : 'field.personName';
};

export const requiredRule: Rule<string> = (value) => (value.trim() === '' ? 'field.required' : null);

const passwordGivenRule: Rule<string> = (value) => (value === '' ? 'field.passwordRequired' : null);

/** A password that is being chosen: the four points, and no longer than `maxLength` code points. */
export function newPasswordRule(maxLength: number): Rule<string> {
  return (value) => {
    if (value === '') return 'field.passwordRequired';
    if (!meetsAllPoints(value)) return 'identity.rule.passwordPoints';
    return [...value].length > maxLength ? 'field.tooLong' : null;
  };
}

/** Whether a password passes all four points of the checklist. */
export function meetsAllPoints(password: string): boolean {
  const passed = checkPassword(password);
  return passwordRules.every((rule) => passed[rule]);
}

/** Gathers what the rules of a form found, in the order of its fields. `values` are handed on unchanged. */
export function checked<Values>(values: Values, found: Partial<Record<keyof Values, string | null>>): Checked<Values> {
  const problems: FieldProblem[] = [];
  for (const [name, message] of Object.entries<string | null | undefined>(found)) {
    if (message) problems.push({ path: [name], message });
  }
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

export interface SignInValues {
  email: string;
  password: string;
}

export function checkSignIn(values: SignInValues): Checked<SignInValues> {
  return checked(values, { email: emailRule(values.email), password: passwordGivenRule(values.password) });
}

export interface SignUpValues {
  invitationCode: string;
  companyName: string;
  firstName: string;
  lastName: string;
  email: string;
  /** Of the request that mailed the code; empty before there was one. */
  ticket: string;
  code: string;
  password: string;
  confirm: string;
  agreeTerms: boolean;
  agreePaymentTerms: boolean;
  agreePrivacy: boolean;
}

/** The rules of sign-up; `maxLength` is the longest password that the server takes. */
export function signUpCheck(maxLength: number): (values: SignUpValues) => Checked<SignUpValues> {
  const password = newPasswordRule(maxLength);
  return (values) =>
    checked(values, {
      invitationCode: values.invitationCode.trim() === '' ? 'field.invitationCode' : null,
      companyName: requiredRule(values.companyName),
      firstName: requiredRule(values.firstName) ?? personNameRule(values.firstName),
      lastName: personNameRule(values.lastName),
      email: emailRule(values.email),
      code: mailedCodeRule(values),
      password: password(values.password),
      confirm: confirmRule(values.password, values.confirm),
      agreeTerms: agreementRule(values.agreeTerms),
      agreePaymentTerms: agreementRule(values.agreePaymentTerms),
      agreePrivacy: agreementRule(values.agreePrivacy),
    });
}

export interface ForgetValues {
  email: string;
  /** Of the request that mailed the code; empty before there was one. */
  ticket: string;
  code: string;
  newPassword: string;
  confirm: string;
}

export function forgetCheck(maxLength: number): (values: ForgetValues) => Checked<ForgetValues> {
  const password = newPasswordRule(maxLength);
  return (values) =>
    checked(values, {
      email: emailRule(values.email),
      code: mailedCodeRule(values),
      newPassword: password(values.newPassword),
      confirm: confirmRule(values.newPassword, values.confirm),
    });
}

export interface ActivateValues {
  password: string;
  confirm: string;
}

export function activateCheck(maxLength: number): (values: ActivateValues) => Checked<ActivateValues> {
  const password = newPasswordRule(maxLength);
  return (values) =>
    checked(values, {
      password: password(values.password),
      confirm: confirmRule(values.password, values.confirm),
    });
}

export interface ChangePasswordValues {
  currentPassword: string;
  newPassword: string;
  confirm: string;
  code: string;
}

export function changePasswordCheck(
  maxLength: number,
): (values: ChangePasswordValues) => Checked<ChangePasswordValues> {
  const password = newPasswordRule(maxLength);
  return (values) =>
    checked(values, {
      currentPassword: passwordGivenRule(values.currentPassword),
      newPassword:
        values.newPassword !== '' && values.newPassword === values.currentPassword
          ? 'identity.rule.passwordSame'
          : password(values.newPassword),
      confirm: confirmRule(values.newPassword, values.confirm),
      code: codeRule(values.code),
    });
}

/** How a code is given: from the authenticator, from the mail, or one of those kept for a lost authenticator. */
export type ProofMethod = 'otp_auth' | 'email' | 'recovery';

export interface VerifyValues {
  method: ProofMethod;
  code: string;
  recoveryCode: string;
  skip: boolean;
}

/** The second step of sign-in. */
export function checkVerify(values: VerifyValues): Checked<VerifyValues> {
  return checked(values, codeProblem(values));
}

export interface ProofValues {
  method: ProofMethod;
  code: string;
  recoveryCode: string;
  /** With a code from the mail alone. */
  password: string;
}

/** What proves a change of one's own sign-in (docs/adr/0017). */
export function checkProof(values: ProofValues): Checked<ProofValues> {
  return checked(values, {
    password: values.method === 'email' ? passwordGivenRule(values.password) : null,
    ...codeProblem(values),
  });
}

function codeProblem({ method, code, recoveryCode }: Omit<VerifyValues, 'skip'>): Record<string, string | null> {
  if (method !== 'recovery') return { code: codeRule(code) };
  return { recoveryCode: recoveryCode.trim() === '' ? 'field.recoveryCode' : null };
}

export interface PasskeyNameValues {
  name: string;
}

export function checkPasskeyName(values: PasskeyNameValues): Checked<PasskeyNameValues> {
  const tooLong = [...values.name].length > passkeyNameMaxLength ? 'field.tooLong' : null;
  return checked(values, { name: requiredRule(values.name) ?? tooLong });
}

export interface BindValues {
  code: string;
  password: string;
}

export function checkBind(values: BindValues): Checked<BindValues> {
  return checked(values, { code: codeRule(values.code), password: passwordGivenRule(values.password) });
}

/** A code serves with the ticket of its request, which a browser that has not asked for one does not have. */
function mailedCodeRule({ code, ticket }: { code: string; ticket: string }): string | null {
  return codeRule(code) ?? (ticket === '' ? 'identity.rule.codeAsked' : null);
}

/** The new password once more. */
export function confirmRule(password: string, confirm: string): string | null {
  if (confirm === '') return 'field.required';
  return confirm === password ? null : 'identity.rule.confirm';
}

function agreementRule(agreed: boolean): string | null {
  return agreed ? null : 'field.agreement';
}

/** Where to go after sign-in: the page that was asked for, if it is one of the console's own; never another site. */
export function targetAfterSignIn(wanted: string | undefined): string {
  if (wanted === undefined || !wanted.startsWith('/app')) return '/app/home';
  // Judged as the browser will resolve it: dots and backslashes lead elsewhere than they read.
  const { pathname, search, hash } = new URL(wanted, 'https://console.invalid');
  return pathname === '/app' || pathname.startsWith('/app/') ? `${pathname}${search}${hash}` : '/app/home';
}
