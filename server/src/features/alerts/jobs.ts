import { defaultLocale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import { valuationCurrency } from '@causeway/contract/rates.ts';
import type { Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { JobContext, JobDefinition } from '../../platform/jobs/jobs.ts';
import { type Crossing, ledgerEvents } from '../ledger/index.ts';
import { type PayeeAdded, payeeEvents } from '../payees/index.ts';
import { readTransactions, transactionEvents } from '../transactions/index.ts';
import { nameWallet } from '../wallets/index.ts';
import { alertEach, allowedOf } from './service/recipients.ts';
import { findChoosers } from './store/choices.ts';

/** The alerts that follow an event. Each is given once to each member however often its event comes. */
export function alertJobs(): JobDefinition[] {
  return [
    {
      name: 'alerts.lowBalance',
      on: [ledgerEvents.crossed],
      run: (context, payload) => within(context, (tx) => alertOfLowBalance(tx, payload as unknown as Crossing)),
    },
    {
      name: 'alerts.largeIncoming',
      on: [transactionEvents.reached],
      async run(context, { transactionId, stage }) {
        // A deposit that was only seen may still be replaced by its chain.
        if (stage === 'credited') await within(context, (tx) => alertOfLargeIncoming(tx, String(transactionId)));
      },
    },
    {
      name: 'alerts.newPayee',
      on: [payeeEvents.added],
      run: (context, payload) => within(context, (tx) => alertOfNewPayee(tx, payload as unknown as PayeeAdded)),
    },
  ];
}

function within({ companyId, database }: JobContext, work: (tx: Tx) => Promise<void>): Promise<void> {
  return database.withCompany(companyId, work);
}

async function choosersOf(tx: Tx, alert: 'lowBalance' | 'newPayee'): Promise<string[]> {
  const chosen = await findChoosers(tx, alert);
  return allowedOf(
    tx,
    alert,
    chosen.map(({ userId }) => userId),
  );
}

async function alertOfLowBalance(
  tx: Tx,
  { crossingId, ownerId, isBelow, balanceMinor, watchBelowMinor }: Crossing,
): Promise<void> {
  // Back above it, or no longer watched: the next fall is a crossing of its own.
  if (!isBelow) return;
  const to = await choosersOf(tx, 'lowBalance');
  if (to.length === 0) return;
  const wallet = await nameWallet(tx, ownerId, defaultLocale);
  invariant(wallet && watchBelowMinor !== null, 'a balance that fell below a threshold is of a wallet');
  const say = (minor: string) => sayAmount(BigInt(minor), wallet.decimals);
  await alertEach(tx, to, {
    kind: 'alert.lowBalance',
    sourceId: crossingId,
    values: { amount: say(balanceMinor), below: say(watchBelowMinor), coin: wallet.asset, place: wallet.place },
    link: `/app/wallet/${ownerId}`,
  });
}

/** What a company can be paid with: neither its own money that comes back, nor what it exchanged. */
const arriving: readonly string[] = ['chain_deposit', 'fiat_deposit'];

async function alertOfLargeIncoming(tx: Tx, transactionId: string): Promise<void> {
  const [row] = await readTransactions(tx, [transactionId]);
  invariant(row, `transaction ${transactionId} is there`);
  if (!arriving.includes(row.type)) return;
  const { valueUsdCents } = row;
  const chosen = await findChoosers(tx, 'largeIncoming');
  // One without a known value may be large.
  const concerned = chosen.filter((each) => valueUsdCents === null || valueUsdCents >= each.largeIncomingFromCents);
  const to = await allowedOf(
    tx,
    'largeIncoming',
    concerned.map(({ userId }) => userId),
  );
  await alertEach(tx, to, {
    kind: valueUsdCents === null ? 'alert.largeIncomingUnvalued' : 'alert.largeIncoming',
    sourceId: row.id,
    values: {
      amount: sayAmount(row.quantityMinor, row.decimals),
      coin: row.coin,
      place: row.place.name,
      value: valueUsdCents === null ? '' : sayAmount(valueUsdCents, 2),
      currency: valuationCurrency,
    },
    link: `/app/transaction/${row.id}`,
  });
}

async function alertOfNewPayee(tx: Tx, { id, kind, label, chain, coin, address, addedBy }: PayeeAdded): Promise<void> {
  const isBank = kind === 'bank';
  await alertEach(tx, await choosersOf(tx, 'newPayee'), {
    kind: isBank ? 'alert.newBankPayee' : 'alert.newPayee',
    sourceId: id,
    values: { label, chain, coin, addedBy },
    link: isBank ? `/app/payee/bank/${id}?tab=bank` : `/app/payee/${id}`,
    facts: [{ label: isBank ? 'alert.fact.account' : 'alert.fact.address', value: address }],
  });
}
