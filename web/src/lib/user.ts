import { getUser, logout, setLanguage, type User } from '@causeway/contract/identity.ts';
import { type Locale, languageOf } from '@causeway/contract/locale.ts';
import { send } from './client.ts';
import { applyLocale } from './locale.tsx';
import { useCall } from './queries.ts';
import { reportError } from './report-error.ts';
import { endSession, sessionToken, useSessionToken } from './session.ts';

/** The person signed in; undefined while it is being read or when nobody is. */
export function useUser(): User | undefined {
  const token = useSessionToken();
  return useCall(getUser, {}, { enabled: token !== null, staleTime_ms: 300_000 }).data;
}

/**
 * Changes the language: with a session the server first, and on screen only if that succeeded (specification, section 2);
 * without one just on screen. Answers whether it was applied.
 */
export async function changeLanguage(locale: Locale): Promise<boolean> {
  try {
    if (sessionToken() !== null) await send(setLanguage, { body: { language: languageOf(locale) } });
    await applyLocale(locale);
    return true;
  } catch (error) {
    reportError(error);
    return false;
  }
}

/** Ends the session on the server and here. The token is forgotten even when the server cannot be reached. */
export async function signOut(): Promise<void> {
  await send(logout, {}).catch(() => undefined);
  endSession();
}
