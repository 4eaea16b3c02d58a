import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { type OpenCurrency, openCurrencies } from '../../banks/index.ts';

/** Makes the company's wallet of a coin on a chain, once; returns its id, whether it is new or not. */
export async function openChainWallet(tx: Tx, id: string, chainId: string, coin: string): Promise<string> {
  const made = await sql<{ id: string }>`
    insert into wallet (company_id, id, chain_id, asset_id) values (company_id(), ${id}, ${chainId}, ${coin})
    on conflict (company_id, chain_id, asset_id) do nothing returning id`.execute(tx);
  const walletId = made.rows[0]?.id ?? (await findChainWallet(tx, chainId, coin));
  invariant(walletId, 'a wallet that was made is there');
  return walletId;
}

export async function findChainWallet(tx: Tx, chainId: string, coin: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from wallet where company_id = company_id() and chain_id = ${chainId} and asset_id = ${coin}`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Makes the company's wallet of a currency at a bank, once; returns its id, whether it is new or not. */
export async function openWalletAtBank(tx: Tx, id: string, bankId: string, asset: string): Promise<string> {
  await sql`
    insert into wallet (company_id, id, bank_id, asset_id) values (company_id(), ${id}, ${bankId}, ${asset})
    on conflict (company_id, bank_id, asset_id) do nothing`.execute(tx);
  const { rows } = await sql<{ id: string }>`
    select id from wallet where company_id = company_id() and bank_id = ${bankId} and asset_id = ${asset}`.execute(tx);
  invariant(rows[0], 'a wallet that was made is there');
  return rows[0].id;
}

/** Whether a coin that is switched on, or a currency at a bank whose numbers are ours to give, has no wallet of the company yet. */
export async function lacksWallets(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ lacks: boolean }>`
    select exists (
      select from chain_asset a join chain c on c.id = a.chain_id
      where a.enabled and c.enabled and not exists (
        select from wallet w where w.company_id = company_id() and w.chain_id = a.chain_id and w.asset_id = a.coin)
    ) or exists (
      select from bank_asset_open a where not a.opens_accounts and not exists (
        select from wallet w where w.company_id = company_id() and w.bank_id = a.bank_id and w.asset_id = a.asset_id)
    ) as lacks`.execute(tx);
  return rows[0]?.lacks ?? false;
}

/** The currencies at banks in which the company has no wallet yet, in the order in which all open them. */
export async function findUnopened(tx: Tx): Promise<OpenCurrency[]> {
  const { rows } = await sql<{ bankId: string; asset: string }>`
    select bank_id as "bankId", asset_id as asset from wallet where company_id = company_id() and bank_id is not null`.execute(
    tx,
  );
  const opened = new Set(rows.map(({ bankId, asset }) => `${bankId} ${asset}`));
  return (await openCurrencies(tx)).filter(({ bankId, asset }) => !opened.has(`${bankId} ${asset}`));
}
