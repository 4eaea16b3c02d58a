import {
  activate,
  checkActivation,
  forgetPassword,
  getUser,
  login,
  register,
  sendCode,
  sendRegisterCode,
  setLanguage,
} from 'virtual:calls/identity';
import { loginWithPasskey, startPasskeyLogin } from 'virtual:calls/identity-account';
import type { Output } from '@causeway/contract/call.ts';
import type { checkActivation as checkActivationCall, login as loginCall } from '@causeway/contract/identity.ts';
import { type Locale, languageOf, localeOf } from '@causeway/contract/locale.ts';
import { ApiError } from '../../lib/api-error.ts';
import { send } from '../../lib/client.ts';
import { applyLocale, chosenLocale, keepAccountLocale } from '../../lib/locale.tsx';
import { reportError } from '../../lib/report-error.ts';
import { reporting } from '../../lib/reporting.ts';
import { startSession } from '../../lib/session.ts';
import { withCaptcha } from './captcha.ts';
import { loadPasskeys } from './load-passkeys.ts';
import type { PasskeyProblem } from './passkey-browser.ts';
import { passwordKey, withSealed } from './password-cipher.ts';
import type { WatchWork } from './proof-of-work.ts';
import type { ForgetValues, ProofMethod, SignInValues, SignUpValues } from './rules.ts';
import { keepLaissezPasser, laissezPasserFor } from './trusted-browser.ts';

/**
 * The calls of the pages before sign-in. Imported dynamically, because client and contract are not needed for the first
 * paint (`load-public-calls.ts`). A failure is reported here, as `lib/queries.ts` does for the console, and thrown on.
 */

/** Email and password were right; a code is still wanted. */
export interface PendingSignIn {
  email: string;
  ticket: string;
  boundOtp: boolean;
  /** A passkey may replace the code. */
  passkey: boolean;
  /** Whether the password was right is not known yet: it is judged together with the code. */
  guarded: boolean;
  /** Where a code by email goes, as far as it may be shown. */
  maskedEmail: string;
}

/** When another code may be asked for, in milliseconds from now, and the ticket with which alone the code serves. */
export interface CodeSent {
  resendAfterMs: number;
  ticket: string;
}

/** First step of sign-in. Null: this browser may leave out the second, and the session has begun. */
export function signIn(
  { email, password }: SignInValues,
  locale: Locale,
  watch: WatchWork,
): Promise<PendingSignIn | null> {
  return reporting(async () => {
    const address = email.trim();
    const pass = laissezPasserFor(address);
    const answer = await withSealed([password], ([sealed]) => {
      const body = {
        loginMethod: 'email' as const,
        email: address,
        ...(sealed !== undefined && { password: sealed }),
        ...(pass !== undefined && { laissezPasser: pass }),
      };
      return send(login, { body }, { cookies: true }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.key === 'captchaRequired')) throw error;
        const what = { scenario: 'login', email: address } as const;
        return withCaptcha(what, watch, (captcha) => send(login, { body: { ...body, captcha } }, { cookies: true }));
      });
    });
    if (answer.accessToken !== null) {
      await begin(answer.accessToken, address, locale);
      return null;
    }
    const { ticket, boundOtp, passkey, guarded, maskedEmail } = answer;
    return { email: address, ticket: ticket ?? '', boundOtp, passkey, guarded, maskedEmail: maskedEmail ?? address };
  });
}

/** Mails the code of the second step. */
export function sendSignInCode(ticket: string): Promise<CodeSent> {
  return reporting(() => send(sendCode, { body: { scenario: 'login', ticket } }));
}

export interface Verification {
  pending: PendingSignIn;
  method: ProofMethod;
  /** Six digits, or a recovery code. */
  code: string;
  /** Leave out this step in this browser for 30 days. */
  skip: boolean;
}

/** Second step of sign-in: the session has begun when this resolves. */
export function verifySignIn({ pending, method, code, skip }: Verification, locale: Locale): Promise<void> {
  return reporting(async () => {
    const proof =
      method === 'recovery' ? { loginMethod: 'otp_auth' as const, recoveryCode: code } : { loginMethod: method, code };
    const body = { ...proof, ticket: pending.ticket, skipVerification: skip };
    const answer = await send(login, { body }, { cookies: true });
    await enter(answer, pending, locale);
  });
}

/** Second step of sign-in by passkey. Returns why there was no passkey, when it is no failure; null: the session has begun. */
export function passkeySignIn(
  { pending, skip }: Pick<Verification, 'pending' | 'skip'>,
  locale: Locale,
): Promise<PasskeyProblem | null> {
  return reporting(async () => {
    const [options, { askPasskey }] = await Promise.all([
      send(startPasskeyLogin, { body: { ticket: pending.ticket } }),
      loadPasskeys(),
    ]);
    const response = await askPasskey(options);
    if (typeof response === 'string') return response;
    const body = { ticket: pending.ticket, response, skipVerification: skip };
    await enter(await send(loginWithPasskey, { body }, { cookies: true }), pending, locale);
    return null;
  });
}

async function enter(answer: Output<typeof loginCall>, pending: PendingSignIn, locale: Locale): Promise<void> {
  if (answer.accessToken === null) throw new ApiError({ key: 'malformed', status: 200 });
  if (answer.laissezPasser !== null) keepLaissezPasser(pending.email, answer.laissezPasser);
  await begin(answer.accessToken, pending.email, locale);
}

/**
 * Stores the token. A language that was chosen in this browser is sent to the server; if that is refused, a message shows and the
 * session stays. Without a choice the account's own language is shown.
 */
async function begin(token: string, email: string, locale: Locale): Promise<void> {
  startSession(token, email);
  if (chosenLocale() !== null) {
    send(setLanguage, { body: { language: languageOf(locale) } }).catch(reportError);
    return;
  }
  await showAccountLanguage().catch(reportError);
}

async function showAccountLanguage(): Promise<void> {
  const { language } = await send(getUser, {});
  const own = localeOf(language);
  keepAccountLocale(own);
  await applyLocale(own);
}

export function sendSignUpCode(address: string, watch: WatchWork): Promise<CodeSent> {
  const email = address.trim();
  return reporting(() =>
    withCaptcha({ scenario: 'register', email }, watch, (captcha) =>
      send(sendRegisterCode, { body: { email, captcha } }, { cookies: true }),
    ),
  );
}

export function signUp(values: SignUpValues, locale: Locale): Promise<void> {
  return reporting(async () => {
    await withSealed([values.password], ([password = '']) =>
      send(register, {
        body: {
          companyName: values.companyName,
          firstName: values.firstName.trim(),
          lastName: values.lastName.trim(),
          email: values.email.trim(),
          ticket: values.ticket,
          code: values.code,
          password,
          invitationCode: values.invitationCode.trim(),
          agreeTerms: true,
          agreePaymentTerms: true,
          agreePrivacy: true,
          language: languageOf(locale),
        },
      }),
    );
  });
}

export function sendForgetCode(address: string, watch: WatchWork): Promise<CodeSent> {
  const email = address.trim();
  return reporting(() =>
    withCaptcha({ scenario: 'forget', email }, watch, (captcha) =>
      send(sendCode, { body: { scenario: 'forget', email, captcha } }, { cookies: true }),
    ),
  );
}

export function resetPassword({ email, ticket, code, newPassword }: ForgetValues): Promise<void> {
  return reporting(async () => {
    await withSealed([newPassword], ([sealed = '']) =>
      send(forgetPassword, { body: { email: email.trim(), ticket, code, newPassword: sealed } }),
    );
  });
}

/**
 * Whose password a link would set, in the language that the invitation was made in unless another was chosen in this browser; showing
 * it is no choice. A link that serves no longer is the page's to say, so that nothing is reported here.
 */
export async function checkLink(token: string): Promise<Output<typeof checkActivationCall>> {
  const invitation = await send(checkActivation, { body: { token } });
  if (chosenLocale() === null) await applyLocale(localeOf(invitation.language));
  return invitation;
}

export function setPassword(token: string, chosen: string): Promise<void> {
  return reporting(async () => {
    await withSealed([chosen], ([password = '']) => send(activate, { body: { token, password } }));
  });
}

/** The longest password that the server takes. */
export async function passwordMaxLength(): Promise<number> {
  return (await passwordKey()).maxLength;
}
