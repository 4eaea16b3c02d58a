import { sql } from 'kysely';
import { accountsByKind, post } from '../features/ledger/index.ts';
import type { ExchangeClaims } from '../features/outgoing/index.ts';
import { insertTransactions } from '../features/transactions/index.ts';
import type { Seal } from '../platform/crypto/seal.ts';
import type { Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { type ChainWorld, type Company, walletOf } from './chain-world.ts';

/** Executed exchanges as the HTTP process leaves them (docs/adr/0080-…): rows, posting and seal. */

export interface ExchangeOptions {
  sell: string;
  soldMinor: bigint;
  buy: string;
  boughtMinor: bigint;
  feeMinor?: bigint;
  /** Omitted or changed, for records that the signer must refuse. */
  without?: 'execution' | 'posting' | 'seal';
  seal?: Seal;
  claims?: Partial<ExchangeClaims>;
}

/** @returns the exchange's id, that of the transaction on the sold side */
export async function executedExchange(
  world: Pick<ChainWorld, 'db' | 'seal'>,
  company: Pick<Company, 'id' | 'wallets'>,
  options: ExchangeOptions,
): Promise<string> {
  const id = newId();
  const boughtId = newId();
  const quoteId = newId();
  const { sell, soldMinor, buy, boughtMinor, feeMinor = 0n, without, seal = world.seal } = options;
  const [sellWalletId, buyWalletId] = [walletOf(company, sell), walletOf(company, buy)];
  const executedAt = new Date();
  await world.db.app.withCompany(company.id, async (tx) => {
    await insertTransactions(tx, [
      {
        id,
        type: 'crypto_exchange_out',
        walletId: sellWalletId,
        coin: sell,
        quantityMinor: soldMinor,
        feeMinor,
        relatedId: boughtId,
        counter: { asset: buy, quantityMinor: boughtMinor },
        timeline: [{ stage: 'submitted' }, { stage: 'approved' }, { stage: 'completed' }],
      },
      {
        id: boughtId,
        type: 'crypto_exchange_in',
        walletId: buyWalletId,
        coin: buy,
        quantityMinor: boughtMinor,
        relatedId: id,
        counter: { asset: sell, quantityMinor: soldMinor },
        timeline: [{ stage: 'credited' }],
      },
    ]);
    const [sold, fee, bought] = [soldMinor.toString(), feeMinor.toString(), boughtMinor.toString()];
    await sql`
      insert into exchange_quote (company_id, id, member_id, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, sold, fee, bought, mid,
        rate, spread_bp, fee_bp, sell_usd, buy_usd, sources, rated_at, digest, expires_at, used_by, used_at)
      values (company_id(), ${quoteId}, ${newId()}, ${sellWalletId}, ${buyWalletId}, ${sell}, ${buy}, 'sell', ${sold}, ${fee}, ${bought}, 1, 1,
        0, 0, 1, 1, '{test}', now(), sha256('quote'), now() + interval '30 seconds', ${id}, now())`.execute(tx);
    const isExecuted = without !== 'execution';
    await sql`
      insert into exchange (company_id, transaction_id, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, sold, fee, bought, bound,
        submitted_quote_id, executed_quote_id, executed_sold, executed_fee, executed_bought, bought_transaction_id, executed_at)
      values (company_id(), ${id}, ${sellWalletId}, ${buyWalletId}, ${sell}, ${buy}, 'sell', ${sold}, ${fee}, ${bought}, 1, ${quoteId},
        ${isExecuted ? quoteId : null}, ${isExecuted ? sold : null}::numeric, ${isExecuted ? fee : null}::numeric,
        ${isExecuted ? bought : null}::numeric, ${isExecuted ? boughtId : null}, ${isExecuted ? executedAt : null}::timestamptz)`.execute(
      tx,
    );
    if (without !== 'posting') await postExchange(tx, id, sellWalletId, buyWalletId, soldMinor, feeMinor, boughtMinor);
    if (without === 'seal') return;
    const claims: ExchangeClaims = {
      version: 1,
      companyId: company.id,
      exchangeId: id,
      sellWalletId,
      sellAsset: sell,
      sold,
      fee,
      buyWalletId,
      buyAsset: buy,
      bought,
      executedAt: executedAt.toISOString(),
      ...options.claims,
    };
    await sql`
      insert into exchange_seal (company_id, exchange_id, jws)
      values (company_id(), ${id}, ${seal('causeway-exchange', claims)})`.execute(tx);
  });
  return id;
}

async function postExchange(
  tx: Tx,
  sourceId: string,
  sellWalletId: string,
  buyWalletId: string,
  soldMinor: bigint,
  feeMinor: bigint,
  boughtMinor: bigint,
): Promise<void> {
  const sell = await accountsByKind(tx, sellWalletId, ['available', 'fee', 'fx']);
  const buy = await accountsByKind(tx, buyWalletId, ['available', 'fx']);
  await post(tx, {
    id: newId(),
    kind: 'exchange.execute',
    sourceId,
    description: 'exchange',
    legs: [
      { accountId: sell.available.id, amountMinor: -soldMinor - feeMinor },
      { accountId: sell.fee.id, amountMinor: feeMinor },
      { accountId: sell.fx.id, amountMinor: soldMinor },
      { accountId: buy.available.id, amountMinor: boughtMinor },
      { accountId: buy.fx.id, amountMinor: -boughtMinor },
    ],
  });
}
