/** Why the signer refuses. A family adds words of its own for what only its chains know. */
const common = [
  'unknown',
  'forged',
  'ended',
  'frozen',
  /** The signer's own configuration has no such chain or coin, or describes it differently from the registry. */
  'other-coin',
  'foreign-address',
  'other-payment',
  /** The request's kind or plan is none of the chain's family. */
  'invalid-plan',
  /** Something would go to neither the payee nor the company. */
  'other-output',
  'cost-cap',
  /** Restore mode holds, or the journal and the database disagree. */
  'restoring',
  /** The disk does not take the signer's journal. */
  'journal-unwritable',
] as const;
export type Refusal = (typeof common)[number] | (string & Record<never, never>);

/** Ends the judgement of one request. */
export class Refused extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** @throws Refused */
export function refuseUnless(condition: unknown, refusal: Refusal): asserts condition {
  if (!condition) throw new Refused(refusal);
}
