import { getExceptionActs, listExceptions } from '@causeway/contract/operator-exceptions.ts';
import type { ExceptionAct, ExceptionSubject } from '@causeway/contract/operator-exceptions-rules.ts';
import { sql } from 'kysely';
import type { EvmGateway } from '../features/chains/index.ts';
import { approvedTransfer, newPayee, sendsOf, transactions } from './chain-transfers.ts';
import { type ChainWorld, type Company, depth } from './chain-world.ts';
import type { ExceptionDesk } from './exception-desk.ts';
import { payFromTank } from './outside-payments.ts';
import { present } from './present.ts';

/** Payments that do not move, on a chain's world, and what is known of them: the beginnings of the tests of exceptions. */
export function exceptionCases(world: ChainWorld, desk: ExceptionDesk) {
  const pool: Company[] = [];

  /** Whether nothing is on its way any more. */
  async function isQuiet(): Promise<boolean> {
    const { rows } = await world.db.operator.withoutCompany((tx) =>
      sql`select from chain_send where final_at is null
        union all select from transaction where status = 'pending'
        union all select from unexplained_payment where state = 'open'
        union all select from sender_hold limit 1`.execute(tx),
    );
    return rows.length === 0;
  }

  /** Blocks and jobs until nothing is on its way, `most` rounds at most: what waits for a person stays on its way. */
  async function settle(most = 4 * depth): Promise<void> {
    for (let round = 1; round <= most; round += 1) {
      await world.tend();
      await world.advance(1);
      // The first round reads what was sent before it.
      if (round > 1 && (await isQuiet())) return;
    }
    await world.tend();
  }

  /** Several at once: the blocks are the same for all. */
  async function refill(count: number): Promise<void> {
    const companies: Company[] = [];
    for (let left = count; left > 0; left -= 1) {
      const company = await world.company();
      await world.db.app.withCompany(company.id, (tx) =>
        sql`insert into company (company_id, name) values (company_id(), 'Harbour Trading')`.execute(tx),
      );
      await world.chain.treasury.send('USDT', company.address, '100');
      await payFromTank(world, company.address, 10n ** 16n);
      await world.chain.engine.mine(1);
      companies.push(company);
    }
    await world.advance(depth + 1);
    await settle();
    pool.push(...companies);
  }

  /** A company with 100 USDT whose address has the network fee already. */
  async function funded(): Promise<Company> {
    if (pool.length === 0) await refill(6);
    return present(pool.pop());
  }

  /** Approved, of 3 USDT. */
  const transfer = (company: Company, payee = newPayee()): Promise<string> =>
    approvedTransfer(world, company, { coin: 'USDT', amountMinor: 3_000_000n, payee });

  /** The gateway, but what it is given to broadcast reaches no node. */
  const mute = (): EvmGateway => ({ ...world.gateway, broadcast: async () => ({ outcome: 'unknown' }) });

  /** A transfer that is signed and whose bytes no node has. */
  async function lost(company: Company, payee = newPayee()): Promise<string> {
    const id = await transfer(company, payee);
    await world.work({ gateway: mute() });
    return id;
  }

  /** A transfer that the nodes have and no block does. */
  async function waiting(company: Company, payee = newPayee()): Promise<string> {
    const id = await transfer(company, payee);
    await world.work();
    return id;
  }

  return {
    settle,
    funded,
    transfer,
    lost,
    waiting,
    mute,
    setFrozen({ id }: Company, isFrozen: boolean): Promise<void> {
      const at = isFrozen ? `now(), frozen_reason = 'test'` : 'null, frozen_reason = null';
      return world.asSuperuser(`update causeway.wallet set frozen_at = ${at} where company_id = '${id}'`);
    },
    /** What an address has of USDT, in whole coins. */
    held: (address: string) => world.chain.treasury.balance('USDT', address as `0x${string}`),
    stageOf: async (company: Company, id: string) =>
      present((await transactions(world, company)).find((row) => row.id === id)),
    attempts: async (id: string) => (await sendsOf(world, id)).filter(({ kind }) => kind === 'transfer'),
    async audited(company: Company): Promise<string[]> {
      const { rows } = await world.db.operator.withoutCompany((tx) =>
        sql<{ action: string }>`select action from audit_event where company_id = ${company.id} order by id`.execute(
          tx,
        ),
      );
      return rows.map(({ action }) => action);
    },
    /** The kinds of notices that the company has. */
    async told({ id }: Company): Promise<string[]> {
      const { rows } = await world.db.worker.withCompany(id, (tx) =>
        sql<{ kind: string }>`select kind from notice where company_id = company_id() order by id`.execute(tx),
      );
      return rows.map(({ kind }) => kind);
    },
    async choice(subject: ExceptionSubject, id: string, act: ExceptionAct) {
      const { data } = await desk.app.ask(getExceptionActs, { as: desk.one, query: { subject, id } });
      return present(data.acts.find((one) => one.act === act));
    },
    /** What is open about a company; what is pending has been so for an hour. */
    async kindsOpen(company: Company): Promise<string[]> {
      await world.asSuperuser(
        `update causeway.transaction set stage_at = now() - interval '1 hour' where status = 'pending'`,
      );
      const { data } = await desk.app.ask(listExceptions, { as: desk.one });
      return data.items.filter((item) => item.company?.id === company.id).map(({ kind }) => kind);
    },
  };
}
export type ExceptionCases = ReturnType<typeof exceptionCases>;
