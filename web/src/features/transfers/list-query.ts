import {
  type TransactionStatus,
  type TransactionType,
  transactionStatuses,
  transactionTypes,
} from '@causeway/contract/transfers-rules.ts';

/** The filters of the transaction list, by the names they have in the address bar. */
export const filterNames = [
  'keyword',
  'type',
  'status',
  'coin',
  'walletId',
  'from',
  'to',
  'amountMin',
  'amountMax',
] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = Partial<Record<FilterName, string>>;

interface DaySpan {
  from: string;
  to: string;
}

interface FilterQuery {
  keyword?: string;
  type?: TransactionType;
  status?: TransactionStatus;
  coin?: string;
  walletId?: string;
  from?: string;
  to?: string;
  amountMin?: string;
  amountMax?: string;
}

const amount = /^\d+(\.\d+)?$/;
const day = /^\d{4}-\d{2}-\d{2}$/;
const coin = /^[A-Z][A-Z0-9]{1,9}$/;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * The filters as the call takes them. What somebody mistyped in the address bar is left out rather than refused; days of the
 * reader's calendar become instants by `instants` (`instantsOf` of the date field).
 */
export function queryOf(filters: Filters, instants: (days: DaySpan) => Partial<DaySpan>): FilterQuery {
  const type = transactionTypes.find((known) => known === filters.type);
  const status = transactionStatuses.find((known) => known === filters.status);
  const days = instants({ from: matching(filters.from, day), to: matching(filters.to, day) });
  const texts = {
    keyword: filters.keyword?.slice(0, 128) ?? '',
    coin: matching(filters.coin, coin),
    walletId: matching(filters.walletId, uuid),
    amountMin: matching(filters.amountMin, amount),
    amountMax: matching(filters.amountMax, amount),
  };
  return {
    ...(type && { type }),
    ...(status && { status }),
    ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '')),
    ...days,
  };
}

/** Whether an amount filter says something that is not an amount, and so is not in force. */
export function amountIgnored(filters: Filters): boolean {
  return [filters.amountMin, filters.amountMax].some((text) => text !== undefined && !amount.test(text));
}

/** Which of the filters stand behind "advanced filter". */
export const advancedNames: readonly FilterName[] = ['coin', 'walletId', 'from', 'to', 'amountMin', 'amountMax'];

function matching(text: string | undefined, pattern: RegExp): string {
  return text !== undefined && pattern.test(text) ? text : '';
}
