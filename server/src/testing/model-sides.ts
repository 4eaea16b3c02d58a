import { sql } from 'kysely';
import type { Address } from 'viem';
import { systemClock } from '../platform/clock.ts';
import { newId } from '../platform/ids.ts';
import type { SignedInContext } from '../platform/session.ts';
import { openTestCompany, randomAddress, type TestCompany } from './company.ts';
import type { TestDatabase } from './database.ts';

export const modelCoins = ['USDT', 'ETH'] as const;
export type ModelCoin = (typeof modelCoins)[number];

/** One of two companies that pay each other and the world. */
export interface ModelSide {
  company: TestCompany;
  address: Address;
  context: SignedInContext;
  /** By coin: a payee outside, and one that is the other company. */
  payees: Record<ModelCoin, string[]>;
}

/** @param ids of companies that are on another chain already */
export async function openModelSides(db: TestDatabase, ids: readonly string[] = []): Promise<ModelSide[]> {
  const sides = [await openSide(db, ids[0]), await openSide(db, ids[1])];
  for (const side of sides) {
    const others = sides.filter((each) => each !== side).map(({ address }) => address);
    for (const coin of modelCoins) {
      for (const address of [randomAddress(), ...others])
        side.payees[coin].push(await addPayee(db, side, coin, address));
    }
  }
  return sides;
}

async function openSide(db: TestDatabase, id?: string): Promise<ModelSide> {
  const company = await openTestCompany(db, id);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Model')`.execute(tx),
  );
  const session = { id: newId(), companyId: company.id, userId: newId(), userName: 'Ada', permissions: [] };
  const context = {
    session,
    locale: 'en-us' as const,
    ip: '127.0.0.1',
    userAgent: '',
    requestId: newId(),
    clock: systemClock,
  };
  return { company, address: company.address as Address, context, payees: { USDT: [], ETH: [] } };
}

async function addPayee(db: TestDatabase, side: ModelSide, coin: ModelCoin, address: string): Promise<string> {
  const id = newId();
  await db.app.withCompany(side.company.id, (tx) =>
    sql`insert into crypto_payee (company_id, id, label, chain_id, coin, address, likeness, created_by, created_by_name)
      values (company_id(), ${id}, 'Payee', 'ethereum', ${coin}, ${address}, 'abcdabcd', ${newId()}, 'Ada')`.execute(
      tx,
    ),
  );
  return id;
}
