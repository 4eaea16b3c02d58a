import { formatAmount } from '@causeway/contract/money.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { newId } from '../../../platform/ids.ts';
import { findChains, isSwitchedOff } from '../../chains/index.ts';
import { holdSwitches, outgoingEvents } from '../../outgoing/index.ts';
import { insertTransactions } from '../../transactions/index.ts';
import { holdFreezes, isWalletFrozen } from '../../wallets/index.ts';
import { dueOf, sweepType } from './domain.ts';
import { sweepDigest } from './kind.ts';
import { findSweptWallet, forgetSwept, lockSweeping, type SweptWallet, unsweptAddresses } from './store.ts';

/**
 * Makes sweeps: what credited deposits have brought to a further address goes to the company's account, as a payment that travels like every
 * outgoing one (docs/adr/0099).
 */

/**
 * Sweeps a wallet, in the company's transaction; none is made while the wallet is frozen, its coin or chain is switched off, or restore mode holds.
 * @param all what is worth less than a deposit has to be, too: a payment needs it
 */
export async function sweepWallet(tx: Tx, walletId: string, all = false): Promise<void> {
  await lockSweeping(tx, walletId);
  if (await findRestoreMode(tx)) return;
  const wallet = await findSweptWallet(tx, walletId);
  if (wallet === null) return;
  const addresses = await unsweptAddresses(tx, walletId);
  const empty = addresses.filter(({ lyingMinor, underWayMinor }) => lyingMinor <= 0n && underWayMinor === 0n);
  await forgetSwept(
    tx,
    walletId,
    empty.map(({ address }) => address),
  );
  if (addresses.length === empty.length) return;
  const leastMinor = all ? 1n : await leastDeposit(tx, wallet);
  const due = addresses
    .map((each) => ({ address: each.address, amountMinor: dueOf(each, leastMinor) }))
    .filter(({ amountMinor }) => amountMinor > 0n);
  if (due.length === 0 || (await isForbidden(tx, wallet))) return;
  for (const { address, amountMinor } of due) await makeSweep(tx, { id: newId(), wallet, address, amountMinor });
}

/** What a deposit has to be worth, in minor units: less stays where it is, since moving it costs the operator a network fee. */
async function leastDeposit(tx: Tx, { chainId, coin }: SweptWallet): Promise<bigint> {
  const chain = (await findChains(tx)).find(({ id }) => id === chainId);
  return chain?.coins.find((known) => known.coin === coin)?.rechargeMinimumMinor ?? 1n;
}

async function isForbidden(tx: Tx, { walletId, chainId, coin }: SweptWallet): Promise<boolean> {
  await holdFreezes(tx);
  if (await isWalletFrozen(tx, walletId)) return true;
  await holdSwitches(tx, chainId);
  return isSwitchedOff(tx, chainId, coin);
}

export interface NewSweep {
  id: string;
  wallet: SweptWallet;
  /** The further address. */
  address: string;
  amountMinor: bigint;
}

/** Writes the payment that moves the coins. */
export async function makeSweep(tx: Tx, { id, wallet, address, amountMinor }: NewSweep): Promise<void> {
  const { walletId, chainId, coin, decimals, account } = wallet;
  await audit(tx, {
    actor: { kind: 'system', id: 'sweep' },
    action: 'sweep.make',
    subjectKind: 'wallet',
    subjectId: walletId,
    detail: { chain: chainId, coin, amount: formatAmount(amountMinor, decimals), from: address, to: account },
  });
  await insertTransactions(tx, [
    {
      id,
      type: sweepType,
      walletId,
      coin,
      quantityMinor: amountMinor,
      payerAccount: address,
      payeeAccount: account,
      digest: sweepDigest({ companyId: tx.companyId, id, walletId, payeeAccount: account, chainId, coin, amountMinor }),
      chain: { chainId },
      timeline: [{ stage: 'submitted' }, { stage: 'approved' }],
    },
  ]);
  await announce(tx, [{ name: outgoingEvents.approved, payload: { transactionId: id } }]);
}
