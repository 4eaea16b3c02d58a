import type { BitcoinNetwork } from '../../../../platform/config/chains.ts';
import { scriptAddress } from '../addresses.ts';
import { inputAddress, type RawInput, type RawTransaction } from '../transactions.ts';
import type { TransactionSource } from './sources.ts';

/** Which inputs spend from addresses of ours, and what they are worth. */

export interface OwnInput {
  input: RawInput;
  address: string;
  amountMinor: bigint;
}

/** The addresses whose keys the inputs show: which of them are ours is asked once for many transactions. */
export function shownAddresses({ inputs }: RawTransaction, network: BitcoinNetwork): string[] {
  return inputs.flatMap((input) => inputAddress(input, network) ?? []);
}

/**
 * The inputs of transactions that spend outputs of ours, by transaction. A witness shows our key in transactions of strangers, too (a
 * Taproot leaf of an unknown version may have it as its internal key), so that the output that is spent is read, which its hash proves.
 * @throws NoAgreement when no node has the transaction of an output
 */
export async function ownInputs(
  transactions: readonly RawTransaction[],
  ours: ReadonlySet<string>,
  { network, source }: { network: BitcoinNetwork; source: TransactionSource },
): Promise<ReadonlyMap<string, OwnInput[]>> {
  const shown = transactions.map((transaction) => ({
    hash: transaction.hash,
    inputs: transaction.inputs.flatMap((input) => {
      const address = inputAddress(input, network);
      return address !== null && ours.has(address) ? [{ input, address }] : [];
    }),
  }));
  const spent = await source.all([...new Set(shown.flatMap(({ inputs }) => inputs.map(({ input }) => input.hash)))]);
  return new Map(
    shown.map(({ hash, inputs }) => {
      const own = inputs.flatMap(({ input, address }) => {
        const output = outputOf(spent, input);
        const isOurs = output !== null && scriptAddress(output.script, network) === address;
        return isOurs ? [{ input, address, amountMinor: output.amountMinor }] : [];
      });
      return [hash, own];
    }),
  );
}

function outputOf(transactions: ReadonlyMap<string, RawTransaction>, { hash, index }: RawInput) {
  return transactions.get(hash)?.outputs[index] ?? null;
}

/** What the miner gets; null where not every transaction that is spent from is known. */
export function feeOf(transaction: RawTransaction, spent: ReadonlyMap<string, RawTransaction>): bigint | null {
  let fee = 0n;
  for (const input of transaction.inputs) {
    const output = outputOf(spent, input);
    if (output === null) return null;
    fee += output.amountMinor;
  }
  for (const { amountMinor } of transaction.outputs) fee -= amountMinor;
  // No block has a transaction that pays more than it spends; a node may say that one waits.
  return fee < 0n ? null : fee;
}
