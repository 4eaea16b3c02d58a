import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { flowsSince } from '../../ledger/index.ts';
import { type Balance, paid, totalValue } from '../domain.ts';
import { readBooks } from './books.ts';
import { describePlace } from './place.ts';
import { type Holding, heldIn, readHoldings, readPrices } from './valuation.ts';

/** What a company holds, and what moved since an instant; amounts as sentences say them. */
export interface Movements {
  currency: string;
  /** Values at the prices of now; null while one is not known. */
  total: string | null;
  paidIn: string | null;
  paidOut: string | null;
  hasMoved: boolean;
  /** Those that hold something or have moved; `changes` are signed: what came in, then what went out, where anything did. */
  wallets: { asset: string; place: string; balance: string; changes: string[] }[];
}

interface Moved {
  holding: Holding;
  inMinor: bigint;
  outMinor: bigint;
}

export async function movementsSince(tx: Tx, from: Date, locale: Locale): Promise<Movements> {
  const holdings = await readHoldings(tx);
  const prices = await readPrices(tx);
  const books = await readBooks(tx, prices);
  const moved = new Map(
    holdings.map((holding): [string, Moved] => [holding.id, { holding, inMinor: 0n, outMinor: 0n }]),
  );
  for (const flow of await flowsSince(tx, [...moved.keys()], [from])) {
    const wallet = moved.get(flow.ownerId);
    if (!wallet) continue;
    const { inMinor, outMinor } = paid(flow);
    wallet.inMinor += inMinor;
    wallet.outMinor += outMinor;
  }
  const all = [...moved.values()];
  const valued = (figure: (wallet: Moved) => bigint) => {
    const balances = all.map((wallet): Balance => {
      const { asset, decimals } = wallet.holding;
      return { asset, decimals, minor: figure(wallet) };
    });
    const cents = totalValue(balances, (asset) => prices.get(asset)?.usd);
    const minor = cents === null ? null : books.convert(cents);
    return minor === null ? null : sayAmount(minor, books.decimals);
  };
  const held = ({ holding }: Moved) => heldIn(holding);
  const hasMoved = ({ inMinor, outMinor }: Moved) => inMinor !== 0n || outMinor !== 0n;
  return {
    currency: books.currency,
    total: valued(held),
    paidIn: valued(({ inMinor }) => inMinor),
    paidOut: valued(({ outMinor }) => outMinor),
    hasMoved: all.some(hasMoved),
    wallets: all
      .filter((wallet) => held(wallet) !== 0n || hasMoved(wallet))
      .map((wallet) => {
        const { asset, decimals } = wallet.holding;
        const signed = (minor: bigint) => `${minor > 0n ? '+' : ''}${sayAmount(minor, decimals)}`;
        return {
          asset,
          place: describePlace(wallet.holding, locale).name,
          balance: sayAmount(held(wallet), decimals),
          changes: [wallet.inMinor, -wallet.outMinor].filter((minor) => minor !== 0n).map(signed),
        };
      }),
  };
}
