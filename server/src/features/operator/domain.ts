import { sayAmount } from '@causeway/contract/money.ts';
import type { StuckRow } from './store.ts';

/** What a transfer waits for: a text `transfer.waitsFor.<reason>` with its blanks. */
export interface Wait {
  reason:
    | 'approvers'
    | 'decision'
    | 'coinGone'
    | 'coinMissing'
    | 'address'
    | 'before'
    | 'coins'
    | 'wallet'
    | 'company'
    | 'switch'
    | 'settlement'
    | 'sweep'
    | 'worker'
    | 'tank'
    | 'fee'
    | 'signer'
    | 'signerOrTank'
    | 'confirmations'
    | 'block'
    | 'empty'
    | 'node';
  blanks: Record<string, string>;
}

/** What a transfer waits for, the first reason first: what is signed goes on whether its wallet is frozen or not. */
export function waitOf(row: StuckRow): Wait {
  const { behind, missingMinor, fromAddress } = row;
  if (row.stage === 'waiting_approval') return { reason: 'approvers', blanks: {} };
  if (row.lost !== null && !row.isMined) {
    const { input, since: lostSince, replacedBy } = row.lost;
    const blanks = { input, lostSince, ...(replacedBy === null ? {} : { replacedBy }) };
    return { reason: row.isSuperseded ? 'coinGone' : 'coinMissing', blanks };
  }
  if (row.isSuperseded) return { reason: 'decision', blanks: {} };
  if (row.isHeld && !row.isMined) return { reason: 'address', blanks: {} };
  if (behind !== null) return { reason: 'before', blanks: { transfer: behind } };
  if (row.isReplaced) return { reason: 'empty', blanks: {} };
  if (missingMinor > 0n) {
    const missing = sayAmount(missingMinor, row.decimals);
    return { reason: 'coins', blanks: { missing, coin: row.coin, address: fromAddress ?? '' } };
  }
  if (!row.isSigned && row.companyFrozen) return { reason: 'company', blanks: {} };
  if (!row.isSigned && row.walletFrozen) return { reason: 'wallet', blanks: {} };
  if (!row.isSigned && row.isSwitchedOff) return { reason: 'switch', blanks: {} };
  if (!row.isSigned && row.waitsFor !== null) {
    return { reason: row.waitsFor === 'swept' ? 'sweep' : 'settlement', blanks: {} };
  }
  return { reason: sendingStep(row), blanks: {} };
}

/** Where a transfer is that nothing but the usual steps keeps. */
function sendingStep({ fromAddress, ...row }: StuckRow): Wait['reason'] {
  if (row.stage === 'approved') return 'worker';
  if (fromAddress === null && row.isTankHeld) return 'tank';
  if (fromAddress === null && row.isGasComing) return 'fee';
  if (!row.isSigned) return fromAddress === null ? 'signerOrTank' : 'signer';
  if (row.isMined) return 'confirmations';
  return row.isOffered ? 'block' : 'node';
}
