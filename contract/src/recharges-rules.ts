import { maxAttachments } from './files-rules.ts';

/** Announced recharges, without a schema library. */

/** `matched`: the bank has booked the payment, and a transaction says what became of it. */
export const rechargeStatuses = ['waiting', 'matched', 'withdrawn'] as const;
export type RechargeStatus = (typeof rechargeStatuses)[number];

/**
 * What a bank says of a deposit that it has reported. `settled`: it is booked there, and credited at the next visit; `credited`: in the
 * wallet; `reversed`: taken back by the bank.
 */
export const arrivingStatuses = ['pending', 'settled', 'credited', 'rejected', 'reversed'] as const;
export type ArrivingStatus = (typeof arrivingStatuses)[number];

export const rechargeRemarkMaxLength = 500;
export const maxProofs = maxAttachments;

/** How far a payer's clock may be ahead of ours. */
export const paidAheadMs = 5 * 60_000;

/** A reference or an IBAN as people read it: groups of four. */
export function inFours(text: string): string {
  return text.match(/.{1,4}/g)?.join(' ') ?? '';
}
