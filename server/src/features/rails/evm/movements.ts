import type { ChainTransaction, EvmReceipt } from '../../chains/index.ts';

/** One thing that a transaction took, or was to take, from an address. Amount in minor units, the network fee in wei. */
export interface Movement {
  /** `native`, `log:2`; `none` where nothing that we know moved. */
  output: string;
  to: string | null;
  /** Null where it is no coin of this installation. */
  coin: string | null;
  amountMinor: bigint;
  /** On the first movement of a transaction that the address itself sent. */
  networkFeeWei: bigint;
  succeeded: boolean;
}

/** What a transaction did to an address of ours; `coins` by contract, `native` for the chain's own. */
export function movementsOf(
  address: string,
  transaction: ChainTransaction,
  receipt: EvmReceipt,
  coins: ReadonlyMap<string, string>,
): Movement[] {
  const isSender = transaction.from === address;
  const networkFeeWei = isSender ? receipt.networkFeeMinor : 0n;
  const { succeeded } = receipt;
  const coinOf = (contract: string | null) => coins.get(contract ?? 'native') ?? null;
  const { tokenCall, to, valueWei } = transaction;
  const asked = tokenCall ?? { contract: null, to, amountMinor: valueWei };
  if (!succeeded) {
    const { contract, to: payee, amountMinor } = asked;
    return [{ output: 'none', to: payee, coin: coinOf(contract), amountMinor, networkFeeWei, succeeded }];
  }
  const found: Movement[] = receipt.tokenTransfers.flatMap(({ index, contract, from, to: payee, amountMinor }) => {
    const coin = coinOf(contract);
    if (from !== address || coin === null || amountMinor === 0n) return [];
    return [{ output: `log:${index}`, to: payee, coin, amountMinor, networkFeeWei: 0n, succeeded }];
  });
  if (isSender && valueWei > 0n) {
    const output = 'native';
    found.unshift({ output, to, coin: coinOf(null), amountMinor: valueWei, networkFeeWei: 0n, succeeded });
  }
  const [first = { output: 'none', to, coin: null, amountMinor: 0n, succeeded }, ...others] = found;
  return [{ ...first, networkFeeWei }, ...others];
}
