import type { OutputInput } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { BankRegistryField, getBanks } from '@causeway/contract/operator-banks.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { OperatorContext } from '../../../platform/session.ts';
import { closedAhead, dayAt, nameOfPlace } from '../../banks/index.ts';
import {
  type BankRow,
  countOpen,
  findBankRows,
  findCollectingSince,
  findCurrencyRows,
  findLastOrders,
  findRegistryChanges,
  type LastOrderRow,
} from './registry-store.ts';

/** So many changes of the registry are shown. */
const mostChanges = 10;
const mostClosed = 3;

/** The banks of the registry, as they are and as they came to be. */
export async function list(tx: Tx, { locale, clock }: OperatorContext): Promise<OutputInput<typeof getBanks>> {
  const currencies = await findCurrencyRows(tx);
  const since = new Map((await findCollectingSince(tx)).map((row) => [`${row.bank}/${row.asset}`, row.since]));
  const changes = await findRegistryChanges(tx, mostChanges);
  const orders = new Map((await findLastOrders(tx)).map((order) => [order.bank, order]));
  return {
    banks: (await findBankRows(tx)).map((bank) => ({
      ...shown(bank, locale),
      lastOrder: shownOrder(orders.get(bank.id)),
      currencies: currencies
        .filter((one) => one.bank === bank.id)
        .map(({ bank: id, decimals, feeMinor, feesHeldMinor, ...currency }) => ({
          ...currency,
          collectingSince: since.get(`${id}/${currency.asset}`)?.toISOString() ?? null,
          fee: formatAmount(feeMinor, decimals),
          feesHeld: formatAmount(feesHeldMinor, decimals),
          ...closedAhead(
            dayAt(clock.now(), bank.timeZone),
            [...new Set([currency.asset, ...bank.calendars])],
            mostClosed,
          ),
        })),
    })),
    registry: changes.map((row) => ({
      ...row,
      at: row.at.toISOString(),
      changes: row.changes.map((change) => ({ ...change, field: change.field as BankRegistryField })),
    })),
    open: await countOpen(tx),
  };
}

function shownOrder(order: LastOrderRow | undefined) {
  if (!order) return null;
  const { bank: _, decimals, totalMinor, madeAt, deliveredAt, answeredAt, ...shownAsIs } = order;
  return {
    ...shownAsIs,
    total: formatAmount(totalMinor, decimals),
    madeAt: madeAt.toISOString(),
    deliveredAt: deliveredAt?.toISOString() ?? null,
    answeredAt: answeredAt?.toISOString() ?? null,
  };
}

function shown(bank: BankRow, locale: Locale) {
  const { id, country, bic, clearingSystem, clearingCode, timeZone, address, enabled } = bank;
  const { prefix, digits, used, next, open, checkedAt, problem, since, detail, lastFileAt } = bank;
  return {
    ...{ id, country, bic, clearingSystem, clearingCode, timeZone, address, enabled },
    name: nameOfPlace(bank, locale),
    range:
      prefix === null || digits === null || next === null || open === null
        ? null
        : { prefix, digits, open, used, left: 10 ** digits - next },
    connection:
      checkedAt === null
        ? null
        : {
            checkedAt: checkedAt.toISOString(),
            problem,
            since: since?.toISOString() ?? null,
            detail,
            lastFileAt: lastFileAt?.toISOString() ?? null,
          },
  };
}
