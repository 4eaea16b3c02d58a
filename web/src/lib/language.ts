import { type Language, type Locale, languageOf } from '@causeway/contract/locale.ts';
import { chooseLocale } from './locale.tsx';
import { reportError } from './report-error.ts';
import { sessionToken } from './session.ts';

let save: (language: Language) => Promise<unknown> = async () => undefined;

/** Says how the server learns of the choice; each console has its own call. */
export function saveLanguageBy(send: (language: Language) => Promise<unknown>): void {
  save = send;
}

/**
 * Changes the language: with a session the server first, and on screen only if that succeeded (decisions, "Languages");
 * without one just on screen. Returns whether it was applied.
 */
export async function changeLanguage(locale: Locale): Promise<boolean> {
  try {
    if (sessionToken() !== null) await save(languageOf(locale));
    await chooseLocale(locale);
    if (sessionToken() !== null) await readAnew();
    return true;
  } catch (error) {
    reportError(error);
    return false;
  }
}

/** What the server said in its own words (a role's name, what a transfer waits for) is asked for in the new language. */
async function readAnew(): Promise<void> {
  const { queryClient } = await import('./queries.ts');
  void queryClient.invalidateQueries();
}
