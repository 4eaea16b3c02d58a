import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { coinsByContract, findAccountAddress, findChain } from '../../chains/index.ts';
import type { LifecycleRow } from '../../transactions/index.ts';
import { findWalletOf } from '../../wallets/index.ts';
import { accelerationType } from '../bitcoin/acceleration.ts';
import { isSettlementType, settlementTypes } from '../settlement/domain.ts';
import { treasuryAddress } from '../settlement/store.ts';
import { sweepType } from '../sweeps/domain.ts';

/** A payment over a chain: what is paid, from whose address, and where its network fee is kept. */
export interface ChainPayment {
  companyId: string;
  transferId: string;
  chainId: string;
  coin: string;
  /** The contract or issuer of the coin; null for the chain's own coin. */
  contract: string | null;
  /** The company's account on the chain, or the treasury's; of a sweep the further address that it empties. */
  fromAddress: string;
  /** Whose address pays: the treasury pays a settlement to the company, and its own network fee. */
  payer: 'company' | 'treasury';
  /** Its legs are settled by it alone. */
  isSettlement: boolean;
  /** It moves coins from a further address of the company to its account (docs/adr/0099). */
  isSweep: boolean;
  /** It spends the output of a deposit that waits for a block, and pays no one (docs/adr/0091). */
  isAcceleration: boolean;
  payeeAccount: string;
  amountMinor: bigint;
  /** The wallet of the chain's own coin, in which network fees are paid. */
  nativeWalletId: string;
}

export async function paymentOf(tx: Tx, transfer: LifecycleRow): Promise<ChainPayment> {
  const { id, companyId, type, chainId, coin, payerAccount, payeeAccount, quantityMinor } = transfer;
  invariant(chainId !== null && payeeAccount !== null, `transfer ${id} has a chain and a payee`);
  const chain = await findChain(tx, chainId);
  const payer = type === settlementTypes.in ? 'treasury' : 'company';
  const isSweep = type === sweepType;
  const account = isSweep
    ? null
    : payer === 'treasury'
      ? treasuryAddress(tx, chainId)
      : findAccountAddress(tx, chainId);
  const fromAddress = isSweep ? payerAccount : await account;
  invariant(chain && fromAddress !== null, `the ${payer} has an address on ${chainId}`);
  const native = await findWalletOf(tx, chainId, chain.nativeCoin);
  invariant(native, `the company has a wallet of ${chain.nativeCoin} on ${chainId}`);
  const contracts = await coinsByContract(tx, chainId);
  const contract = [...contracts].find(([, known]) => known === coin)?.[0];
  invariant(contract !== undefined, `${coin} is a coin of ${chainId}`);
  return {
    companyId,
    transferId: id,
    chainId,
    coin,
    contract: contract === 'native' ? null : contract,
    fromAddress,
    payer,
    isSettlement: isSettlementType(type),
    isSweep,
    isAcceleration: type === accelerationType,
    payeeAccount,
    amountMinor: quantityMinor,
    nativeWalletId: native.id,
  };
}
