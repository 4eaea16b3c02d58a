import type { OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { listReceivingAddresses } from '@causeway/contract/wallets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { maxExactTotal, pageOf, readPosition, sizeOf, totalOf } from '../../../platform/http/page.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { findChains } from '../../chains/index.ts';
import { countEarlierAddresses, findEarlierAddresses, findReceivedAt } from '../store/addresses.ts';
import { usableChain } from './receiving.ts';

/**
 * The addresses that were shown before the current one, newest first, with what each has received.
 * @throws DomainError chainUnknown, cursorInvalid
 */
export async function describeEarlierAddresses(
  tx: Tx,
  _context: SignedInContext,
  query: Query<typeof listReceivingAddresses>,
): Promise<OutputInput<typeof listReceivingAddresses>> {
  const chain = usableChain(await findChains(tx), query.chain);
  const position = readPosition(query.cursor, 'number', false);
  const size = sizeOf(query.size);
  const before = position && Number(position.key);
  const rows = await findEarlierAddresses(tx, chain.id, { before, most: size + 1 });
  const { items, next } = pageOf(rows, size, ({ ordinal }) => [ordinal]);
  const received = await findReceivedAt(
    tx,
    chain.id,
    items.map(({ address }) => address),
  );
  const decimalsOf = new Map(chain.coins.map(({ coin, decimals }) => [coin, decimals]));
  return {
    items: items.map(({ address, firstUsedAt }) => ({
      address,
      firstUsedAt: firstUsedAt?.toISOString() ?? null,
      received: received
        .filter((each) => each.address === address)
        .map(({ coin, deposits, creditedMinor, waitingMinor }) => {
          const decimals = decimalsOf.get(coin) ?? 0;
          return {
            coin,
            deposits,
            credited: formatAmount(creditedMinor, decimals),
            waiting: formatAmount(waitingMinor, decimals),
          };
        }),
    })),
    ...totalOf(await countEarlierAddresses(tx, chain.id, maxExactTotal + 1)),
    next,
  };
}
