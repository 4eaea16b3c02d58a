import { formatAmount } from '@causeway/contract/money.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { newId } from '../../../platform/ids.ts';
import { isSwitchedOff } from '../../chains/index.ts';
import { holdSwitches, outgoingEvents } from '../../outgoing/index.ts';
import { insertTransactions } from '../../transactions/index.ts';
import { holdFreezes, isWalletFrozen } from '../../wallets/index.ts';
import { type Leg, mostLegs, netOf, settlementTypes } from './domain.ts';
import { settlementDigest } from './kind.ts';
import {
  findDueLegs,
  findDueNet,
  findSettledWallet,
  insertSettlement,
  lacksSettlements,
  lockSettling,
  type NewSettlement,
  type SettledWallet,
} from './store.ts';

/**
 * Makes settlements: the net of all legs of a wallet that no settlement has, each leg once. One that comes to nothing is done with that; the
 * others become a payment between the company's address and the treasury, which travels like every outgoing payment (docs/adr/0081-…).
 */

export type Settling =
  | 'made'
  /** No leg is due. */
  | 'nothing'
  /** What is due is not what the caller needs. */
  | 'otherWay'
  /** The wallet is frozen, its chain or coin is switched off, restore mode holds, or the chain has no treasury. */
  | 'forbidden';

/**
 * Settles what is due of a wallet, in the company's transaction.
 * @param only where given, nothing is settled unless all that is due comes to coins that have to come in
 * @param most legs of one settlement
 */
export async function settleWallet(
  tx: Tx,
  walletId: string,
  cause: NewSettlement['cause'],
  only?: 'in',
  most = mostLegs,
): Promise<Settling> {
  await lockSettling(tx, walletId);
  // What a restored database has lost is settled once it is adopted.
  if (await findRestoreMode(tx)) return (await lacksSettlements(tx, walletId)) ? 'forbidden' : 'nothing';
  // Of all legs: the oldest ones, which make the first settlement, may come to the other direction.
  if (only === 'in' && (await findDueNet(tx, walletId)) >= 0n) {
    return (await findDueLegs(tx, walletId, 1)).length === 0 ? 'nothing' : 'otherWay';
  }
  let made: Settling = 'nothing';
  for (;;) {
    const legs = await findDueLegs(tx, walletId, most);
    if (legs.length === 0) return made;
    const wallet = await findSettledWallet(tx, walletId);
    if (wallet === null || wallet.treasury === null || (await isForbidden(tx, wallet))) return 'forbidden';
    await makeSettlement(tx, { id: newId(), wallet, cause, legs });
    made = 'made';
  }
}

async function isForbidden(tx: Tx, { walletId, chainId, coin }: SettledWallet): Promise<boolean> {
  await holdFreezes(tx);
  if (await isWalletFrozen(tx, walletId)) return true;
  await holdSwitches(tx, chainId);
  return isSwitchedOff(tx, chainId, coin);
}

/** Writes a settlement with its legs, and the payment that moves its coins. */
export async function makeSettlement(
  tx: Tx,
  { id, wallet, cause, legs }: Pick<NewSettlement, 'id' | 'wallet' | 'cause'> & { legs: readonly Leg[] },
): Promise<void> {
  const { walletId, chainId, coin, decimals, address, treasury } = wallet;
  const { direction, amountMinor } = netOf(legs);
  await insertSettlement(tx, { id, wallet, cause, legs, direction, amountMinor });
  if (direction === 'none' || treasury === null) return;
  const [payerAccount, payeeAccount] = direction === 'in' ? [treasury, address] : [address, treasury];
  await audit(tx, {
    actor: { kind: 'system', id: 'settlement' },
    action: 'settlement.make',
    subjectKind: 'wallet',
    subjectId: walletId,
    detail: { chain: chainId, coin, amount: formatAmount(amountMinor, decimals), from: payerAccount, to: payeeAccount },
  });
  await insertTransactions(tx, [
    {
      id,
      type: settlementTypes[direction],
      walletId,
      coin,
      quantityMinor: amountMinor,
      payerAccount,
      payeeAccount,
      digest: settlementDigest({ companyId: tx.companyId, id, walletId, payeeAccount, chainId, coin, amountMinor }),
      chain: { chainId },
      timeline: [{ stage: 'submitted' }, { stage: 'approved' }],
    },
  ]);
  await announce(tx, [{ name: outgoingEvents.approved, payload: { transactionId: id } }]);
}
