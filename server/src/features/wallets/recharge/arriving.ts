import type { OutputInput } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { ArrivingStatus, getArriving, listArriving } from '@causeway/contract/recharges.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { dayAt, expectedArrival, findReportedDeposits, type ReportedDeposit } from '../../banks/index.ts';
import { describePlace } from '../service/place.ts';
import { type FundedWallet, findWalletAtBank } from './funding.ts';
import { depositNamed } from './store.ts';

/** A rejected deposit is shown so long, in milliseconds. */
const endedShownMs = 7 * 24 * 60 * 60_000;
const most = 100;

type Reader = Pick<SignedInContext, 'locale' | 'clock'>;

/**
 * What is on its way into a wallet at a bank, and what the bank rejected lately; what was booked is among its transactions.
 * @throws DomainError walletNotFound, rechargeNotAtBank, bankUnknown, currencyNotAtBank
 */
export async function describeArriving(
  tx: Tx,
  { locale, clock }: Reader,
  { id }: { id: string },
): Promise<OutputInput<typeof listArriving>> {
  const found = await findWalletAtBank(tx, id);
  const now = clock.now();
  const since = new Date(now.getTime() - endedShownMs);
  const deposits = await findReportedDeposits(tx, placeOf(found), { since, most });
  const shown = deposits.filter(({ status }) => ['pending', 'rejected'].includes(statusOf(status, null)));
  return {
    items: shown.map((each) => view(each, found, { locale, now, transactionId: null })),
    reported: found.bank.opensAccounts,
  };
}

/**
 * One deposit that a bank has reported, with the transaction by which it was credited.
 * @throws DomainError as `describeArriving`, notFound
 */
export async function describeArrivingOne(
  tx: Tx,
  { locale, clock }: Reader,
  { id, depositId }: { id: string; depositId: string },
): Promise<OutputInput<typeof getArriving>> {
  const found = await findWalletAtBank(tx, id);
  const [deposit] = await findReportedDeposits(tx, placeOf(found), { id: depositId });
  if (!deposit) throw new DomainError('notFound');
  const transactionId = await depositNamed(tx, found.wallet.id, deposit.id, deposit.begunAt);
  return view(deposit, found, { locale, now: clock.now(), transactionId });
}

function placeOf({ wallet, bank }: FundedWallet): { bank: string; asset: string } {
  return { bank: bank.id, asset: wallet.asset };
}

/** By the states of the bank's API. */
function statusOf(status: string, transactionId: string | null): ArrivingStatus {
  if (status === 'REJECTED') return 'rejected';
  if (status === 'REVERSED') return 'reversed';
  if (status !== 'SETTLED') return 'pending';
  return transactionId === null ? 'settled' : 'credited';
}

function view(
  { id, status: state, begunAt, statusAt, amountMinor, payer, reference }: ReportedDeposit,
  { wallet, bank, currency }: FundedWallet,
  { locale, now, transactionId }: { locale: Locale; now: Date; transactionId: string | null },
): OutputInput<typeof getArriving> {
  const { earliest, latest } = expectedArrival(begunAt, bank, currency);
  const status = statusOf(state, transactionId);
  return {
    id,
    walletId: wallet.id,
    asset: wallet.asset,
    decimals: wallet.decimals,
    bankName: describePlace(wallet, locale).name,
    amount: formatAmount(amountMinor, wallet.decimals),
    payer,
    reference,
    status,
    begunAt: begunAt.toISOString(),
    statusAt: statusAt.toISOString(),
    expected: { earliest, latest },
    late: status === 'pending' && dayAt(now, bank.timeZone) > latest,
    transactionId,
  };
}
