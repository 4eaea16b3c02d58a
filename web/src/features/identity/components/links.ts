/** A link among words: told from them by its line, not by its colour alone. */
export const inlineLink = 'font-medium text-accent underline underline-offset-2 hover:text-accent-strong';

/** A link on a line of its own. */
export const quietLink = 'font-medium text-accent no-underline hover:underline';
