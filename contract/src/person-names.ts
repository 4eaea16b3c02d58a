/** The names of people, without a schema library. */

export const personNameMaxLength = 60;

/** Letters, marks, spaces, hyphens, apostrophes and points in any script, no digits (decisions, "Payees"). */
const personNamePattern = /^\p{L}[\p{L}\p{M} .'\u2019\u02bc\u00b7\u30fb\u2010\u2011-]*$/u;

export function isPersonName(text: string): boolean {
  return personNamePattern.test(text);
}
