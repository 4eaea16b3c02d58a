import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import { type TradeContent, tradeContent } from '@causeway/contract/trades.ts';
import * as z from 'zod/mini';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import type { Session } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { CodeFact } from '../../identity/index.ts';
import { tradeDigest } from '../domain.ts';
import { findPayingWallet, type PayingWallet } from '../store/confirmations.ts';
import { readTrade, type TradeRow } from '../store/trades.ts';

/** A trade that its buyer can confirm, with what pays it and what code and approvals are bound to. */
export interface Meaning {
  trade: TradeRow;
  wallet: PayingWallet;
  /** SHA-256, hex. */
  digest: string;
}

/** @throws DomainError tradeNotFound, tradeNotBuyer */
export function asBuyer(trade: TradeRow | null): TradeRow {
  if (!trade) throw new DomainError('tradeNotFound');
  if (trade.side !== 'buyer') throw new DomainError('tradeNotBuyer');
  return trade;
}

/** Whether its buyer can still say yes or no. */
export function isOpen({ side, state, status }: Pick<TradeRow, 'side' | 'state' | 'status'>): boolean {
  return side === 'buyer' && state === 'open' && status === 'created';
}

/** @throws DomainError tradeNotFound, tradeNotBuyer, tradeNotConfirmable, tradeChanged, walletNotFound */
export async function meaningOf(tx: Tx, content: TradeContent, found: TradeRow | null): Promise<Meaning> {
  const trade = asBuyer(found);
  if (!isOpen(trade)) throw new DomainError('tradeNotConfirmable');
  if (trade.version !== content.version) throw new DomainError('tradeChanged');
  const wallet = await findPayingWallet(tx, trade.chainId, trade.asset);
  if (!wallet) throw new DomainError('walletNotFound');
  return { trade, wallet, digest: digestOf(tx, trade, content.id, wallet.id) };
}

export function digestOf(tx: Tx, trade: TradeRow, confirmationId: string, walletId: string): string {
  return tradeDigest({ ...trade, companyId: tx.companyId, confirmationId, tradeId: trade.id, walletId });
}

/**
 * What a code for a confirmation is bound to, and the facts that its mail repeats, in the reader's language.
 * @throws DomainError validationFailed, and those of `meaningOf`
 */
export async function describeTradeSubject(
  tx: Tx,
  _session: Session,
  content: Record<string, unknown>,
  locale: Locale,
): Promise<{ digest: string; facts: CodeFact[] }> {
  const parsed = z.safeParse(tradeContent, content);
  if (!parsed.success) throw new DomainError('validationFailed', {}, fieldMessages(parsed.error, content));
  const { trade, digest } = await meaningOf(tx, parsed.data, await readTrade(tx, parsed.data.tradeId));
  const label = (name: string) => translate(locale, `trades.codeFact.${name}`);
  const amount = `${sayAmount(trade.quantityMinor, trade.decimals)} ${trade.asset}`;
  return {
    digest,
    facts: [
      { label: label('trade'), value: trade.number, headline: trade.number },
      { label: label('amount'), value: amount, headline: amount },
      { label: label('seller'), value: trade.payeeName, headline: trade.payeeName },
      { label: label('wallet'), value: trade.payeeWallet },
    ],
  };
}
