import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import {
  type announceRecharge,
  type getRecharge,
  type listRecharges,
  paidAheadMs,
  type withdrawRecharge,
} from '@causeway/contract/recharges.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { maxExactTotal, pageOf, sizeOf, timeCursor } from '../../../platform/http/page.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { expectedArrival } from '../../banks/index.ts';
import { findFiles } from '../../files/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { notify } from '../../notices/index.ts';
import { describePlace } from '../service/place.ts';
import { findWallets, type WalletRow } from '../store.ts';
import { rechargeEvents } from './events.ts';
import { findFundedWallet } from './funding.ts';
import { recorded } from './recorded.ts';
import { countNotices, endNotice, holdNotice, insertNotice, listNotices, type NoticeRow, readNotice } from './store.ts';
import { findWatchers } from './watchers.ts';

type Notice = OutputInput<typeof getRecharge>;
type Reader = Pick<SignedInContext, 'session' | 'locale' | 'clock'>;

/**
 * Announces a payment with its proof. Nothing is credited by it. The same announcement again returns the first.
 * @throws DomainError walletNotFound, rechargeNotAtBank, bankUnknown, currencyNotAtBank, amountFormat, amountTooManyDecimals, amountTooLarge,
 *   rechargeBelowMinimum, rechargePaidLater, rechargeProofUnknown, idTaken
 */
export async function announceNotice(
  tx: Tx,
  context: SignedInContext,
  body: Body<typeof announceRecharge>,
): Promise<Notice> {
  const { session, clock } = context;
  const { wallet, bank, currency } = await findFundedWallet(tx, body.walletId);
  const amountMinor = amountOf(body.amount, wallet);
  if (amountMinor < currency.minimumMinor) {
    const minimum = sayAmount(currency.minimumMinor, wallet.decimals);
    throw refusal('rechargeBelowMinimum', { minimum, coin: wallet.asset }, 'amount');
  }
  const paidAt = new Date(body.paidAt);
  if (paidAt.getTime() > clock.now().getTime() + paidAheadMs) throw refusal('rechargePaidLater', {}, 'paidAt');
  const proofIds = [...new Set(body.proofIds)];
  const proofs = await findFiles(tx, proofIds);
  if (proofs.length !== proofIds.length) throw refusal('rechargeProofUnknown', {}, 'proofIds');
  const { earliest, latest } = expectedArrival(paidAt, bank, currency);
  const made = {
    id: body.id,
    walletId: wallet.id,
    amountMinor,
    paidAt,
    remark: body.remark?.trim() ?? '',
    createdBy: session.userId,
    proofIds,
  };
  const isNew = await insertNotice(tx, {
    ...made,
    ...{ expectedFrom: earliest, expectedBy: latest, timeZone: bank.timeZone, createdByName: session.userName },
  });
  const notice = await readNotice(tx, body.id);
  invariant(notice, 'a notice that was written is there');
  if (!isNew) {
    if (!isSame(notice, made)) throw new DomainError('idTaken');
    return describe(tx, context, notice);
  }
  await audit(tx, {
    actor: actorOf(context),
    action: 'wallets.announceRecharge',
    subjectKind: 'wallet',
    subjectId: wallet.id,
    detail: {
      ...(await recorded(tx, notice)),
      ...(notice.remark === '' ? {} : { remark: notice.remark }),
      files: proofs.map(({ name }) => name).join(', '),
    },
  });
  const to = await findWatchers(tx);
  await notify(tx, {
    kind: 'recharge.announced',
    sourceId: notice.id,
    values: {
      amount: sayAmount(amountMinor, wallet.decimals),
      currency: wallet.asset,
      member: session.userName,
      date: { day: latest },
    },
    link: `/app/wallet/recharge/notice/${notice.id}`,
    to: to.filter((id) => id !== session.userId),
  });
  await announce(tx, [
    live('recharge', notice.id),
    { name: rechargeEvents.announced, payload: { noticeId: notice.id } },
  ]);
  return describe(tx, context, notice);
}

/** Whether it says the same as one that has been written. */
function isSame(
  notice: NoticeRow,
  made: Pick<NoticeRow, 'walletId' | 'amountMinor' | 'paidAt' | 'remark' | 'createdBy' | 'proofIds'>,
): boolean {
  return (
    notice.walletId === made.walletId &&
    notice.amountMinor === made.amountMinor &&
    notice.paidAt.getTime() === made.paidAt.getTime() &&
    notice.remark === made.remark &&
    notice.createdBy === made.createdBy &&
    notice.proofIds.join() === made.proofIds.join()
  );
}

/** @throws DomainError cursorInvalid */
export async function describeNotices(
  tx: Tx,
  context: Reader,
  query: Query<typeof listRecharges>,
): Promise<OutputInput<typeof listRecharges>> {
  const filters = { walletId: query.walletId ?? null, status: query.status ?? null };
  const size = sizeOf(query.size);
  const rows = await listNotices(tx, filters, timeCursor(query.cursor), size + 1);
  const { items, next } = pageOf(rows, size, ({ position, id }) => [position, id]);
  const total = await countNotices(tx, filters);
  return {
    items: await describeAll(tx, context, items),
    total: Math.min(total, maxExactTotal),
    totalExact: total <= maxExactTotal,
    next,
  };
}

/** @throws DomainError rechargeNotFound */
export async function describeNotice(tx: Tx, context: Reader, { id }: { id: string }): Promise<Notice> {
  const notice = await readNotice(tx, id);
  if (!notice) throw new DomainError('rechargeNotFound');
  return describe(tx, context, notice);
}

/**
 * Takes an announcement back. Money that arrives is credited all the same.
 * @throws DomainError rechargeNotFound, rechargeNotOwn, rechargeNotWaiting
 */
export async function withdrawNotice(
  tx: Tx,
  context: SignedInContext,
  { id }: Body<typeof withdrawRecharge>,
): Promise<Notice> {
  const { session } = context;
  const notice = await holdNotice(tx, id);
  if (!notice) throw new DomainError('rechargeNotFound');
  if (!mayWithdraw(notice, session)) throw new DomainError('rechargeNotOwn');
  if (!(await endNotice(tx, id, { id: session.userId, name: session.userName }))) {
    throw new DomainError('rechargeNotWaiting');
  }
  await audit(tx, {
    actor: actorOf(context),
    action: 'wallets.withdrawRecharge',
    subjectKind: 'wallet',
    subjectId: notice.walletId,
    detail: await recorded(tx, notice),
  });
  await announce(tx, [live('recharge', id)]);
  return describeNotice(tx, context, { id });
}

/** Its sender, or an administrator. */
function mayWithdraw({ createdBy }: NoticeRow, { userId, permissions }: SignedInContext['session']): boolean {
  return createdBy === userId || permissions.includes('member.manage');
}

async function describe(tx: Tx, context: Reader, notice: NoticeRow): Promise<Notice> {
  const [described] = await describeAll(tx, context, [notice]);
  invariant(described, 'a notice is described');
  return described;
}

async function describeAll(tx: Tx, context: Reader, notices: readonly NoticeRow[]): Promise<Notice[]> {
  if (notices.length === 0) return [];
  const wallets = new Map((await findWallets(tx)).map((wallet) => [wallet.id, wallet]));
  const files = new Map(
    (
      await findFiles(
        tx,
        notices.flatMap(({ proofIds }) => proofIds),
      )
    ).map((file) => [file.id, file]),
  );
  return notices.map((notice) => {
    const wallet = wallets.get(notice.walletId);
    invariant(wallet, 'a notice is about one of the company’s wallets');
    const proofs = notice.proofIds.flatMap((id) => files.get(id) ?? []);
    return { ...view(notice, wallet, context), proofs };
  });
}

function view(notice: NoticeRow, wallet: WalletRow, { session, locale, clock }: Reader): Omit<Notice, 'proofs'> {
  const isWaiting = notice.status === 'waiting';
  return {
    id: notice.id,
    walletId: wallet.id,
    asset: wallet.asset,
    decimals: wallet.decimals,
    bankName: describePlace(wallet, locale).name,
    amount: formatAmount(notice.amountMinor, wallet.decimals),
    paidAt: notice.paidAt.toISOString(),
    remark: notice.remark,
    status: notice.status,
    expected: { earliest: notice.expectedFrom, latest: notice.expectedBy },
    late: isWaiting && notice.lateAfter.getTime() <= clock.now().getTime(),
    createdAt: notice.createdAt.toISOString(),
    sender: notice.createdByName,
    endedAt: notice.endedAt?.toISOString() ?? null,
    withdrawnBy: notice.endedByName,
    transactionId: notice.transactionId,
    withdrawable: isWaiting && session.permissions.includes('transfer.create') && mayWithdraw(notice, session),
  };
}
