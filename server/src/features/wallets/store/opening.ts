import { sql } from 'kysely';
import type { Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';

/** Makes the company's wallet of a coin on a chain, once; answers its id, whether it is new or not. */
export async function openWallet(tx: Tx, id: string, chainId: string, coin: string): Promise<string> {
  const made = await sql<{ id: string }>`
    insert into wallet (company_id, id, chain_id, coin) values (company_id(), ${id}, ${chainId}, ${coin})
    on conflict (company_id, chain_id, coin) do nothing returning id`.execute(tx);
  const walletId = made.rows[0]?.id ?? (await findWallet(tx, chainId, coin));
  invariant(walletId, 'a wallet that was made is there');
  return walletId;
}

export async function findWallet(tx: Tx, chainId: string, coin: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from wallet where company_id = company_id() and chain_id = ${chainId} and coin = ${coin}`.execute(tx);
  return rows[0]?.id ?? null;
}

/** Whether a coin that is switched on has no wallet of the company yet. */
export async function lacksWallets(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ lacks: boolean }>`
    select exists (
      select from chain_asset a join chain c on c.id = a.chain_id
      where a.enabled and c.enabled and not exists (
        select from wallet w where w.company_id = company_id() and w.chain_id = a.chain_id and w.coin = a.coin)
    ) as lacks`.execute(tx);
  return rows[0]?.lacks ?? false;
}
