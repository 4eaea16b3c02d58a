import { exchangeDigest, quoteDigest } from '../server/src/features/exchange/domain.ts';
import { newId } from '../server/src/platform/ids.ts';
import type { StageDatabase } from './stage.ts';
import { issueCodes, type Ready, type Sender } from './transfer-world.ts';

/** Exchanges of what senders have, for a coin of which each of their companies gets a wallet. Seeded as the superuser. */

export interface Exchanger extends Sender {
  buyWalletId: string;
}

const [sellAsset, buyAsset] = ['USDT', 'USDC'];
const amount = '2';
const minor = 2_000_000n;

export async function addBoughtWallets({ admin }: StageDatabase, senders: readonly Sender[]): Promise<Exchanger[]> {
  const wallets = new Map(senders.map(({ companyId }) => [companyId, newId()]));
  await admin.query('set search_path = causeway');
  await admin.query(
    `with given as (select * from unnest($1::uuid[], $2::uuid[]) as g (company_id, wallet_id)), opened as (
       insert into wallet (company_id, id, chain_id, asset_id) select company_id, wallet_id, 'ethereum', '${buyAsset}' from given
     )
     insert into ledger_account (company_id, id, owner_id, kind, asset_id, normal)
     select company_id, gen_random_uuid(), wallet_id, k.kind, '${buyAsset}', k.normal
     from given, (values ('available', 'credit'), ('outbound', 'credit'), ('inbound', 'credit'), ('fee', 'credit'), ('chain', 'debit'), ('fx', 'any'),
       ('deficit', 'any'))
       as k (kind, normal)
     union all
     select w.company_id, gen_random_uuid(), w.id, k.kind, w.asset_id, 'any'
     from given g join wallet w on w.company_id = g.company_id and w.asset_id = '${sellAsset}', (values ('fx'), ('deficit')) as k (kind)`,
    [[...wallets.keys()], [...wallets.values()]],
  );
  return senders.map((sender) => ({ ...sender, buyWalletId: wallets.get(sender.companyId) ?? '' }));
}

/** Keeps prices that quotes are made of young. */
export async function keepPricesYoung({ admin }: StageDatabase): Promise<void> {
  await admin.query(
    `insert into causeway.rate_mid (asset_id, usd, at, holds_until, sources, needed, checked_at)
     select id, 1, now(), now() + interval '1 hour', '{bench}', 1, now() from unnest($1::text[]) as id
     on conflict (asset_id) do update set at = excluded.at, holds_until = excluded.holds_until, problem = null, problem_since = null`,
    [[sellAsset, buyAsset]],
  );
}

/** Asks for one quote. */
export function quoteBody({ walletId, buyWalletId }: Exchanger): string {
  return JSON.stringify({ sellWalletId: walletId, buyWalletId, fixed: 'sell', amount });
}

/** Makes a quote for one exchange of each, and issues its code. */
export async function makeExchangesReady(
  stage: StageDatabase,
  exchangers: readonly Exchanger[],
  appSecret: string,
): Promise<Ready[]> {
  await keepPricesYoung(stage);
  const exchanges = exchangers.map((exchanger) => {
    const { companyId, userId: memberId, walletId: sellWalletId, buyWalletId } = exchanger;
    const [exchangeId, id] = [newId(), newId()];
    const subject = { companyId, sellWalletId, buyWalletId, fixed: 'sell' as const };
    const priced = { soldMinor: minor, feeMinor: 0n, boughtMinor: minor, rate: '1', mid: '1' };
    return {
      ...exchanger,
      exchangeId,
      quoteId: id,
      digest: exchangeDigest({ ...subject, exchangeId, amountMinor: minor, boundMinor: minor, limit: null, notes: '' }),
      quoteDigest: quoteDigest({ ...subject, id, memberId, ...priced }),
    };
  });
  const column = <T>(of: (one: (typeof exchanges)[number]) => T) => exchanges.map(of);
  await stage.admin.query(
    `insert into causeway.exchange_quote (company_id, id, member_id, sell_wallet_id, buy_wallet_id, sell_asset, buy_asset, fixed, sold, fee,
       bought, mid, rate, spread_bp, fee_bp, sell_usd, buy_usd, sources, rated_at, digest, expires_at)
     select company_id, id, member_id, sell_wallet_id, buy_wallet_id, '${sellAsset}', '${buyAsset}', 'sell', ${minor}, 0, ${minor}, 1, 1, 0, 0, 1, 1,
       '{bench}', now(), decode(digest, 'hex'), now() + interval '1 hour'
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[])
       as q (company_id, id, member_id, sell_wallet_id, buy_wallet_id, digest)`,
    [
      column(({ companyId }) => companyId),
      column(({ quoteId }) => quoteId),
      column(({ userId }) => userId),
      column(({ walletId }) => walletId),
      column(({ buyWalletId }) => buyWalletId),
      column((one) => one.quoteDigest),
    ],
  );
  const codes = await issueCodes(stage.admin, appSecret, exchanges);
  return exchanges.map(({ token, exchangeId, quoteId, walletId, buyWalletId }, i) => {
    const content = { id: exchangeId, sellWalletId: walletId, buyWalletId, fixed: 'sell', amount, bound: amount };
    const body = JSON.stringify({ ...content, quoteId, code: codes[i], codeMethod: 'email' });
    return { transferId: exchangeId, token, key: newId(), body };
  });
}
