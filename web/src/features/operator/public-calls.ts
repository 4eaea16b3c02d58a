import {
  activateOperator,
  checkOperatorActivation,
  getOperator,
  operatorCaptcha,
  operatorLogin,
  operatorLoginCode,
  operatorLoginPasskey,
  operatorLoginPasskeyOptions,
  setOperatorLanguage,
} from 'virtual:calls/operator';
import { type Locale, languageOf, localeOf } from '@causeway/contract/locale.ts';
import type { OperatorFactor } from '@causeway/contract/operator-rules.ts';
import { ApiError } from '../../lib/api-error.ts';
import { send } from '../../lib/client.ts';
import { applyLocale, chosenLocale, keepAccountLocale } from '../../lib/locale.tsx';
import { reportError } from '../../lib/report-error.ts';
import { reporting } from '../../lib/reporting.ts';
import { startSession } from '../../lib/session.ts';
import { loadPasskeys, type SignInValues, type WatchWork, withWork } from '../identity/index.ts';
import { passwordKey, withSealed } from './sealing.ts';

/** The calls of the pages before sign-in, imported dynamically (`load-public-calls.ts`). A failure is reported here and thrown on. */

/** Email and password were right; the second step is next. */
export interface PendingSignIn {
  email: string;
  ticket: string;
  factors: readonly OperatorFactor[];
}

/** First step of sign-in; the proof of work is done where the server asks for one. */
export function signIn({ email, password }: SignInValues, watch: WatchWork): Promise<PendingSignIn> {
  return reporting(async () => {
    const address = email.trim();
    const { ticket, factors } = await withSealed([password], ([sealed = '']) => {
      const body = { email: address, password: sealed };
      return send(operatorLogin, { body }).catch((error: unknown) => {
        if (!(error instanceof ApiError && error.key === 'captchaRequired')) throw error;
        const make = () => send(operatorCaptcha, { body: { email: address } });
        return withWork(make, watch, (captcha) => send(operatorLogin, { body: { ...body, captcha } }));
      });
    });
    return { email: address, ticket, factors };
  });
}

/** Second step by a code of the authenticator: the session has begun when this resolves. */
export function verifyByCode({ email, ticket }: PendingSignIn, code: string, locale: Locale): Promise<void> {
  return reporting(async () => {
    const { accessToken } = await send(operatorLoginCode, { body: { ticket, code } });
    await begin(accessToken, email, locale);
  });
}

/** Second step by passkey. Returns why there was no passkey, when it is no failure; null: the session has begun. */
export function verifyByPasskey(
  { email, ticket }: PendingSignIn,
  locale: Locale,
): Promise<'cancelled' | 'known' | null> {
  return reporting(async () => {
    const [options, { askPasskey }] = await Promise.all([
      send(operatorLoginPasskeyOptions, { body: { ticket } }),
      loadPasskeys(),
    ]);
    const response = await askPasskey(options);
    if (typeof response === 'string') return response;
    const { accessToken } = await send(operatorLoginPasskey, { body: { ticket, response } });
    await begin(accessToken, email, locale);
    return null;
  });
}

/** Stores the token. A language that was chosen in this browser becomes the account's; without a choice the account's is shown. */
async function begin(token: string, email: string, locale: Locale): Promise<void> {
  startSession(token, email);
  if (chosenLocale() !== null) {
    send(setOperatorLanguage, { body: { language: languageOf(locale) } }).catch(reportError);
    return;
  }
  await showAccountLanguage().catch(reportError);
}

async function showAccountLanguage(): Promise<void> {
  const own = localeOf((await send(getOperator, {})).language);
  keepAccountLocale(own);
  await applyLocale(own);
}

/** Whose account a link opens. A link that serves no longer is the page's to say, so that nothing is reported here. */
export function checkLink(token: string) {
  return send(checkOperatorActivation, { body: { token } });
}

/** Sets the password and binds the authenticator. */
export function activate(token: string, chosen: string, code: string): Promise<void> {
  return reporting(async () => {
    await withSealed([chosen], ([password = '']) => send(activateOperator, { body: { token, password, code } }));
  });
}

/** The longest password that the server takes. */
export async function passwordMaxLength(): Promise<number> {
  return (await passwordKey()).maxLength;
}
