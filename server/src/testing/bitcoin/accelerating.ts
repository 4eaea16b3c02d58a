import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import { sql } from 'kysely';
import type { describeAcceleration } from '../../features/transfers/service/accelerate.ts';
import { accelerate, describeAcceleration as describe } from '../../features/transfers/service/accelerate.ts';
import { describeSpeedUp, speedUp } from '../../features/transfers/service/speed-up.ts';
import type { Tx } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { transactions } from '../chain-transfers.ts';
import type { SignedCompany } from '../signer-world.ts';
import type { BitcoinWorld } from './world.ts';

/** What a member of a company without a console does about a deposit that waits for a block. */

export interface Member {
  /** A deposit that pays so little that no block takes it while the chain's least rate is above. @returns its transaction's id and hash */
  stuck(amountMinor: bigint, feeMinor?: bigint): Promise<{ depositId: string; hash: string }>;
  quote(depositId: string): Promise<Awaited<ReturnType<typeof describeAcceleration>>>;
  accelerate(depositId: string, feeLevel?: FeeLevel, id?: string): Promise<string>;
  speedUp(id: string): Promise<string>;
}

export async function memberOf(world: BitcoinWorld, company: SignedCompany): Promise<Member> {
  await world.db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Harbour Trading') on conflict do nothing`.execute(
      tx,
    ),
  );
  const session = { companyId: company.id, userId: newId(), userName: 'Mei Lam', permissions: ['transfer.create'] };
  const context = {
    session,
    locale: 'en-us',
    clock: { now: () => new Date() },
    seal: world.seal,
  } as unknown as Parameters<typeof accelerate>[1];
  const as = <T>(work: (tx: Tx) => Promise<T>) => world.db.app.withCompany(company.id, work);
  const member: Member = {
    async stuck(amountMinor, feeMinor = 150n) {
      const [address = ''] = company.addresses;
      const hash = world.chain.fund([{ address, amountMinor }], { isReplaceable: true, feeMinor });
      await world.look();
      const seen = (await transactions(world, company)).find((each) => each.hash === hash);
      return { depositId: seen?.id ?? '', hash };
    },
    quote: (depositId) => as((tx) => describe(tx, context, { depositId })),
    async accelerate(depositId, feeLevel = 'urgent', id = newId()) {
      const { items } = await member.quote(depositId);
      const fee = items.find(({ level }) => level === feeLevel)?.fee ?? '';
      await as((tx) => accelerate(tx, context, { id, depositId, feeLevel, fee }));
      return id;
    },
    async speedUp(id) {
      const { newFee } = await as((tx) => describeSpeedUp(tx, context, { id }));
      await as((tx) => speedUp(tx, context, { id, fee: newFee }));
      return newFee;
    },
  };
  return member;
}
