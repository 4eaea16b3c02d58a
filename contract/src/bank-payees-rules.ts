/** The plain rules of payees with a bank account, without a schema library. */

export const holderKinds = ['enterprise', 'personal'] as const;

/** Of an enterprise, and the longest field of an account: what ISO 20022's messages hold of a name. */
export const payeeNameMaxLength = 140;

/**
 * What the payee's bank says of the name: it is the account's; nearly (it gives its own); it is another's; or the bank cannot be asked.
 */
export const verificationAnswers = ['match', 'close', 'none', 'impossible'] as const;
export type VerificationAnswer = (typeof verificationAnswers)[number];

/** Payees that ask for a look: the account was changed lately; the address would be refused. */
export const accountMarks = ['changed', 'address'] as const;

/** For how many days a changed account is marked, where the company has not chosen. */
export const changedPayeeDaysDefault = 7;
export const changedPayeeDaysMax = 90;

/** As banks and people read it. */
export function payeeNumber(number: number): string {
  return `PC-${String(number).padStart(6, '0')}`;
}
