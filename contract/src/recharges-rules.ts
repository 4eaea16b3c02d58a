import { maxAttachments } from './files-rules.ts';

/** Announced recharges, without a schema library. */

/** `matched`: the bank has booked the payment, and a transaction says what became of it. */
export const rechargeStatuses = ['waiting', 'matched', 'withdrawn'] as const;
export type RechargeStatus = (typeof rechargeStatuses)[number];

export const rechargeRemarkMaxLength = 500;
export const maxProofs = maxAttachments;

/** How far a payer's clock may be ahead of ours. */
export const paidAheadMs = 5 * 60_000;

/** A reference or an IBAN as people read it: groups of four. */
export function inFours(text: string): string {
  return text.match(/.{1,4}/g)?.join(' ') ?? '';
}
