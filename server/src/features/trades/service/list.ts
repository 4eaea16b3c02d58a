import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { getTrade, listTrades, Trade } from '@causeway/contract/trades.ts';
import type { TradeState } from '@causeway/contract/trades-rules.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { approvalOf } from '../../approvals/index.ts';
import { payableMinor } from '../domain.ts';
import { findPayingWallet, findRecipient, readConfirmation } from '../store/confirmations.ts';
import { waitingVersions } from '../store/events.ts';
import { type StateSum, sumByState, sumFrozen, tradeList } from '../store/list.ts';
import { readMessages } from '../store/messages.ts';
import { readLines, readReleases, readTrade, type TradeRow, tradeOf } from '../store/trades.ts';
import { isOpen } from './content.ts';
import { type ForeseePorts, foreseeConfirmation } from './foresee.ts';

export interface ConnectedPort {
  /** A trade platform is connected. */
  isConnected(tx: Tx): Promise<boolean>;
}

/** @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  { isConnected }: ConnectedPort,
  query: Query<typeof listTrades>,
): Promise<OutputInput<typeof listTrades>> {
  const { items, ...page } = await readPage(tx, tradeList, query, undefined);
  const sums = await sumByState(tx);
  const frozen = await sumFrozen(tx);
  const inUnits = ({ asset, decimals, minor }: Pick<StateSum, 'asset' | 'decimals' | 'minor'>) => ({
    asset,
    decimals,
    amount: formatAmount(minor, decimals),
  });
  const of = (state: TradeState) => sums.filter((sum) => sum.state === state);
  const count = (state: TradeState) => of(state).reduce((all, each) => all + each.count, 0);
  const quantities = (state: TradeState) => of(state).map((sum) => ({ side: sum.side, ...inUnits(sum) }));
  return {
    ...page,
    items: items.map((row) => shownTrade(tradeOf(row))),
    connected: sums.length > 0 || (await isConnected(tx)),
    summary: {
      created: count('created'),
      inProgress: count('in_progress'),
      success: count('success'),
      cancelled: count('cancelled'),
      frozen: frozen.map(inUnits),
      quantities: {
        created: quantities('created'),
        inProgress: quantities('in_progress'),
        success: quantities('success'),
        cancelled: quantities('cancelled'),
      },
    },
  };
}

export function shownTrade(row: TradeRow): Trade {
  const { side, shown: state, actor, phase, decimals } = row;
  const say = (minor: bigint) => formatAmount(minor, decimals);
  const ofBuyer = (minor: bigint) => (row.isBuyerKnown ? say(minor) : null);
  return {
    ...{ id: row.id, number: row.number, side, state, phase, chainId: row.chainId, chainName: row.chainName },
    ...{ asset: row.asset, decimals, quantity: say(row.quantityMinor), refunded: say(row.refundedMinor) },
    frozen: ofBuyer(row.frozenMinor),
    paid: ofBuyer(row.paidMinor),
    paying: ofBuyer(row.releasedMinor - row.paidMinor),
    payer: { name: row.payerName, address: row.payerAddress, wallet: row.payerWallet },
    payee: { name: row.payeeName, address: row.payeeAddress, wallet: row.payeeWallet },
    billOfLading: row.billOfLading,
    hash: row.hash,
    actor,
    actBy: actor === null ? null : (row.actBy?.toISOString() ?? null),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** @throws DomainError tradeNotFound */
export async function get(
  tx: Tx,
  context: SignedInContext & ForeseePorts,
  { id }: { id: string },
): Promise<OutputInput<typeof getTrade>> {
  const trade = await readTrade(tx, id);
  if (!trade) throw new DomainError('tradeNotFound');
  const { side, confirmationId, decimals } = trade;
  const say = (minor: bigint) => formatAmount(minor, decimals);
  const confirmation = confirmationId === null ? null : await readConfirmation(tx, confirmationId);
  const approval = confirmationId === null ? null : await approvalOf(tx, 'trade', confirmationId, context);
  const wallet = side === 'buyer' ? await findPayingWallet(tx, trade.chainId, trade.asset) : null;
  const releases = await readReleases(tx, id);
  const isPayable = payableMinor(trade) > 0n;
  const isSettled = trade.state === 'waiting_approval' || trade.state === 'frozen';
  return {
    ...shownTrade(trade),
    version: trade.version,
    milestones: trade.milestones.map(({ amountMinor, ...each }) => ({
      ...each,
      amount: say(amountMinor),
      released: trade.releasedMilestones.includes(each.id),
      paid: trade.paidMilestones.includes(each.id),
    })),
    documents: trade.documents,
    contradiction: trade.contradiction,
    walletId: wallet?.id ?? null,
    available: wallet && say(wallet.availableMinor),
    review: await foreseeConfirmation(tx, context, trade, wallet),
    recipient: side === 'buyer' ? await findRecipient(tx, trade.chainId, trade.asset, trade.payeeWallet) : null,
    approvalTaskId: approval?.taskId ?? null,
    confirmedBy: isSettled && confirmation ? { id: confirmation.initiatorId, name: confirmation.initiatorName } : null,
    confirmedAt: isSettled && confirmation ? confirmation.createdAt.toISOString() : null,
    releases: releases.map(({ amountMinor, at, ...each }) => ({
      ...each,
      amount: say(amountMinor),
      at: at.toISOString(),
    })),
    timeline: (await readLines(tx, id)).map(({ id: _id, at, amountMinor, transactionId: _payment, ...line }) => ({
      ...line,
      note: sayNote(line.note, context.locale),
      at: at.toISOString(),
      amount: amountMinor === null ? null : say(amountMinor),
    })),
    messages: (await readMessages(tx, id)).map(({ at, deliveredAt, ...message }) => ({
      ...message,
      at: at.toISOString(),
      deliveredAt: deliveredAt?.toISOString() ?? null,
    })),
    waitingVersions: await waitingVersions(tx, id),
    can: {
      confirm: isOpen(trade),
      decline: isOpen(trade),
      release: isPayable && trade.phase !== 'disputed',
      dispute: trade.state === 'frozen' && trade.frozenMinor > 0n && trade.phase !== 'disputed',
    },
  };
}

/** What the program wrote is a sentence of its own, such as why an approval ended; what people and the platform wrote is as they wrote it. */
export function sayNote(note: string, locale: Locale): string {
  return note.startsWith('approvals.reason.') || note.startsWith('stage.reason.') ? translate(locale, note) : note;
}
