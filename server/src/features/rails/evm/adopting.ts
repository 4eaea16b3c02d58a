import {
  type EvmIntent,
  type EvmSend,
  emptyKind,
  evmJournal,
  highestAttempt,
  isSamePricing,
  nonceAfterJournal,
  passJournaledNonces,
} from '../../chains/index.ts';
import type { Adoption } from '../family.ts';
import { clearNonce, explanationAt } from './store/adopting.ts';
import { setNextNonce } from './store/senders.ts';

/** Entries of EVM chains are taken over with their nonce and fees; no other payment may have the nonce. */
export const evmAdoption: Adoption<EvmIntent> = {
  journal: evmJournal,
  passSigned: passJournaledNonces,
  accountOf: async (_tx, { fromAddress }) => fromAddress,
  isAttempt(attempt, entry) {
    const send = attempt as EvmSend;
    const isSameKind = send.isEmpty === (entry.kind === emptyKind);
    return isSameKind && send.nonce === entry.nonce && isSamePricing(send, entry);
  },
  /** The gas tank's books are corrected without the operator. */
  async isBooked(tx, [entry]) {
    const state = entry ? await explanationAt(tx, entry) : null;
    return state === 'booked' || (entry?.kind === 'gas' && state !== null);
  },
  async reserve(tx, [entry], { chainId, address, nextNonce }) {
    if (!entry) return;
    await clearNonce(tx, entry);
    const free = await nonceAfterJournal(tx, chainId, address);
    if (free > nextNonce) await setNextNonce(tx, chainId, address, free);
  },
  async attemptOf(tx, entry) {
    const { paymentId, kind, transferId, chainId, fromAddress, nonce, amountMinor } = entry;
    const { gasLimit, maxFeePerGas, maxPriorityFeePerGas } = entry;
    const attempt = (await highestAttempt(tx, chainId, fromAddress, nonce, paymentId)) + 1;
    const isEmpty = kind === emptyKind;
    const ofTransfer = isEmpty ? 'transfer' : kind;
    const payment = { paymentId, attempt, kind: ofTransfer, transferId, chainId, fromAddress, nonce, amountMinor };
    return { ...payment, isEmpty, gasLimit, maxFeePerGas, maxPriorityFeePerGas };
  },
};
