import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { coinsByContract, findAccountAddress, findChain } from '../../chains/index.ts';
import type { LifecycleRow } from '../../transactions/index.ts';
import { findWalletOf } from '../../wallets/index.ts';

/** A payment over a chain: what is paid, from whose address, and where its network fee is kept. */
export interface ChainPayment {
  companyId: string;
  transferId: string;
  chainId: string;
  coin: string;
  /** The contract or issuer of the coin; null for the chain's own coin. */
  contract: string | null;
  /** The company's main address on the chain. */
  fromAddress: string;
  payeeAccount: string;
  amountMinor: bigint;
  /** The wallet of the chain's own coin, in which network fees are paid. */
  nativeWalletId: string;
}

export async function paymentOf(tx: Tx, transfer: LifecycleRow): Promise<ChainPayment> {
  const { id, companyId, chainId, coin, payeeAccount, quantityMinor } = transfer;
  invariant(chainId !== null && payeeAccount !== null, `transfer ${id} has a chain and a payee`);
  const chain = await findChain(tx, chainId);
  const fromAddress = await findAccountAddress(tx, chainId);
  invariant(chain && fromAddress !== null, `the company has an address on ${chainId}`);
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
    payeeAccount,
    amountMinor: quantityMinor,
    nativeWalletId: native.id,
  };
}
