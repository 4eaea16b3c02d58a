import { type Locale, languageOf } from '@causeway/contract/locale.ts';
import { chooseLocale } from './locale.tsx';
import { reportError } from './report-error.ts';
import { sessionToken } from './session.ts';

/**
 * Changes the language: with a session the server first, and on screen only if that succeeded (decisions, "Languages");
 * without one just on screen. Returns whether it was applied.
 */
export async function changeLanguage(locale: Locale): Promise<boolean> {
  try {
    if (sessionToken() !== null) await tellServer(locale);
    await chooseLocale(locale);
    if (sessionToken() !== null) await readAnew();
    return true;
  } catch (error) {
    reportError(error);
    return false;
  }
}

/** The client and the contract are only asked for when there is a server to tell: before sign-in there is none. */
async function tellServer(locale: Locale): Promise<void> {
  const [{ send }, { setLanguage }] = await Promise.all([import('./client.ts'), import('virtual:calls/identity')]);
  await send(setLanguage, { body: { language: languageOf(locale) } });
}

/** What the server said in its own words (a role's name, what a transfer waits for) is asked for in the new language. */
async function readAnew(): Promise<void> {
  const { queryClient } = await import('./queries.ts');
  void queryClient.invalidateQueries();
}
