import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { getAddress } from 'viem';
import { accountsByKind, move, openAccounts, post } from '../features/ledger/index.ts';
import type { Tx } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import type { TestDatabase } from './database.ts';

/** A company with an address and a wallet of each coin on the test's chain `ethereum`. */
export interface TestCompany {
  id: string;
  address: string;
  /** Wallet ids by coin. */
  wallets: Record<'ETH' | 'USDT' | 'USDC' | 'HKDT', string>;
}

export function randomAddress(): string {
  return getAddress(`0x${randomBytes(20).toString('hex')}`);
}

/** Opens a company's address, wallets and ledger accounts as the worker does; on another chain it may have some already. */
export async function openTestCompany(db: TestDatabase, id = newId()): Promise<TestCompany> {
  const address = randomAddress();
  const wallets = { ETH: newId(), USDT: newId(), USDC: newId(), HKDT: newId() };
  await db.worker.withCompany(id, async (tx) => {
    await sql`insert into chain_address (company_id, chain_id, address, derivation_index)
      values (company_id(), 'ethereum', ${address}, coalesce(
        (select derivation_index from chain_address where company_id = company_id()), nextval('company_derivation_index')))`.execute(
      tx,
    );
    for (const [coin, wallet] of Object.entries(wallets)) {
      await sql`insert into wallet (company_id, id, chain_id, asset_id)
        values (company_id(), ${wallet}, 'ethereum', ${coin})`.execute(tx);
      const usual = ['available', 'outbound', 'inbound', 'chain', 'fee', 'deficit', 'fx'] as const;
      await openAccounts(tx, wallet, coin, coin === 'ETH' ? [...usual, 'gas'] : usual);
    }
  });
  return { id, address, wallets };
}

/** Puts money into a wallet as a credited deposit does: from the chain into one of its figures. */
export async function credit(
  db: TestDatabase,
  company: TestCompany,
  coin: keyof TestCompany['wallets'],
  amountMinor: bigint,
  kind: 'available' | 'outbound' | 'inbound' = 'available',
): Promise<void> {
  await db.worker.withCompany(company.id, (tx) => creditIn(tx, company.wallets[coin], amountMinor, kind));
}

async function creditIn(
  tx: Tx,
  walletId: string,
  amountMinor: bigint,
  kind: 'available' | 'outbound' | 'inbound',
): Promise<void> {
  const accounts = await accountsByKind(tx, walletId, ['chain', kind]);
  const legs = move(accounts.chain.id, accounts[kind].id, amountMinor);
  await post(tx, { id: newId(), kind: 'deposit.credited', sourceId: newId(), description: 'test', legs });
}
