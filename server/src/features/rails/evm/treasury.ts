import type { Address } from 'viem';
import type { Tx } from '../../../platform/database/database.ts';
import { findChain, findCursor, findFinalHeight, isTankStopped, latestSends, type Send } from '../../chains/index.ts';
import type { SendingDependencies } from '../family.ts';
import type { ChainPayment } from '../service/payment.ts';
import { clearShort, noteShort, promisedBy, type TreasuryFunds } from '../settlement/treasury-store.ts';
import { postpone, topUp, untilFree } from './allotting.ts';
import { evmGatewayOf } from './gateway.ts';
import { isCompared } from './nonce-guard.ts';
import { allotTransfer, type Cost, type LackOf, worstCost } from './nonces.ts';

/**
 * Settlements from the treasury. Its balances are in no ledger, so the chain is asked: for the coins, at the newest final block, for the network fee, at the newest one
 * that the watcher has read. What its payments after that block take is promised, and known under the lock of its address. The gas tank advances its network fee.
 */

/** Null while the treasury has too few coins, or its network fee is on its way. */
export async function prepareFromTreasury(deps: SendingDependencies, payment: ChainPayment): Promise<Send | null> {
  const { companyId, transferId, chainId } = payment;
  const { database } = deps;
  const gateway = evmGatewayOf(deps, chainId);
  const funds = await fundsOf(deps, payment);
  if (funds === null) return null;
  if (!(await database.withCompany(companyId, (tx) => isFunded(tx, payment, funds)))) return null;
  const gasLimit = await gateway.estimateGas({
    from: payment.fromAddress as Address,
    to: payment.payeeAccount as Address,
    contract: payment.contract as Address | null,
    amountMinor: payment.amountMinor,
  });
  if (gasLimit === 'reverts') return postpone(deps, payment);
  const cost: Cost = { gasLimit, ...(await gateway.fees()) };
  const allotment = await untilFree(deps, companyId, (tx) =>
    allotTransfer(tx, payment, cost, (sender) => isCompared(gateway, sender), lackIn(funds)),
  );
  if (allotment.outcome === 'allotted') return allotment.send;
  if (allotment.outcome !== 'short') return null;
  if (await database.withoutCompany((tx) => isTankStopped(tx, chainId))) return null;
  const { missingWei } = allotment;
  // One that a block has, above the one of which the balance is, is not counted yet.
  const isUnread = await database.withCompany(companyId, async (tx) =>
    (await latestSends(tx, transferId, 'gas')).some(
      ({ minedBlock }) => minedBlock !== null && minedBlock > funds.native.height,
    ),
  );
  if (!isUnread) await topUp(deps, companyId, payment, missingWei + worstCost(cost));
  return null;
}

/** What the treasury held at the ends of the blocks that the watcher has read; null before one is final. */
async function fundsOf(deps: SendingDependencies, payment: ChainPayment): Promise<TreasuryFunds | null> {
  const { chainId, contract, fromAddress } = payment;
  const { cursor, finalHeight, chain } = await deps.database.withoutCompany(async (tx) => ({
    cursor: await findCursor(tx, chainId),
    finalHeight: await findFinalHeight(tx, chainId),
    chain: await findChain(tx, chainId),
  }));
  if (cursor === null || finalHeight === null || chain === null) return null;
  const gateway = evmGatewayOf(deps, chainId);
  const nativeMinor = await gateway.balance(null, fromAddress, cursor.height);
  const coinMinor = await gateway.balance(contract, fromAddress, finalHeight);
  return {
    nativeCoin: chain.nativeCoin,
    native: { minor: nativeMinor, height: cursor.height },
    coin: { minor: coinMinor, height: finalHeight },
  };
}

/** Whether the coins are there; what is short is the operator's to see. */
async function isFunded(tx: Tx, payment: ChainPayment, funds: TreasuryFunds): Promise<boolean> {
  const { chainId, coin, amountMinor } = payment;
  const freeMinor = await freeCoins(tx, payment, funds);
  if (freeMinor >= amountMinor) {
    await clearShort(tx, chainId, coin);
    return true;
  }
  await noteShort(tx, chainId, coin, freeMinor);
  return false;
}

async function freeCoins(tx: Tx, { chainId, coin, contract, fromAddress }: ChainPayment, funds: TreasuryFunds) {
  const promised = await promisedBy(tx, { chainId, address: fromAddress, coin, height: funds.coin.height });
  return funds.coin.minor - promised.coinMinor - (contract === null ? promised.feeWei : 0n);
}

/** What the treasury lacks, by what it held and has promised since; its address is locked. */
function lackIn(funds: TreasuryFunds): LackOf {
  return async (tx, _transfer, payment, cost) => {
    const { chainId, contract, fromAddress, amountMinor } = payment;
    if ((await freeCoins(tx, payment, funds)) < amountMinor) return { outcome: 'uncovered' };
    const native = await promisedBy(tx, {
      chainId,
      address: fromAddress,
      coin: funds.nativeCoin,
      height: funds.native.height,
    });
    const freeWei = funds.native.minor - native.coinMinor - native.feeWei - (contract === null ? amountMinor : 0n);
    const missingWei = worstCost(cost) - freeWei;
    return missingWei > 0n ? { outcome: 'short', missingWei } : null;
  };
}
