import { sql } from 'kysely';
import { parseTransaction } from 'viem';
import { expect } from 'vitest';
import { expectBooksToAgree } from './chain-books.ts';
import { approvedTransfer, newPayee, transactions } from './chain-transfers.ts';
import { balances, type ChainWorld, type Company, depth } from './chain-world.ts';
import type { ExceptionCases } from './exception-cases.ts';
import type { ExceptionDesk } from './exception-desk.ts';
import { present } from './present.ts';

/** A payment of the tests of empty transactions. */
interface Case {
  company: Company;
  payee: `0x${string}`;
  id: string;
}

const ether = 10n ** 18n;

/** Payments in whose place an empty transaction is made, and how they end. */
export function replacingCases(world: ChainWorld, desk: ExceptionDesk, cases: ExceptionCases) {
  async function begun(how: 'lost' | 'waiting'): Promise<Case> {
    const [company, payee] = [await cases.funded(), newPayee()];
    return { company, payee, id: await cases[how](company, payee) };
  }

  return {
    /** A payment of half an ether whose deposit a deep reorganisation took: signed, and no node takes it. */
    async stranded(): Promise<Case> {
      const [company, payee] = [await cases.funded(), newPayee()];
      await world.chain.treasury.send('ETH', company.address, '1');
      await world.advance(depth + 1);
      const amounts = { amountMinor: ether / 2n, feeMinor: ether / 1000n };
      const id = await approvedTransfer(world, company, { coin: 'ETH', ...amounts, payee });
      await world.work({ gateway: cases.mute() });
      await world.chain.engine.reorganise(depth + 1, false);
      await world.advance(1);
      await world.tend();
      return { company, payee, id };
    },
    /** A transfer of 3 USDT that the nodes have and no block does. */
    waiting: () => begun('waiting'),
    /** One that is signed and whose bytes no node has. */
    lost: () => begun('lost'),
    /** Two operators want an empty transaction, and the worker has noted it. */
    async agreed(id: string): Promise<string> {
      const proposalId = await desk.agree('payment.replaceEmpty', id);
      await desk.carryOut(proposalId);
      expect(await desk.end(proposalId)).toMatchObject({ state: 'done' });
      return proposalId;
    },
    async bytesOf(id: string, attempt: number): Promise<`0x${string}`> {
      const { rows } = await world.db.worker.withoutCompany((tx) =>
        sql<{ raw: `0x${string}` }>`
          select raw from chain_send where payment_id = ${id} and attempt = ${attempt}`.execute(tx),
      );
      return present(rows[0]).raw;
    },
    async postingsOf({ id: companyId }: Company, sourceId: string): Promise<string[]> {
      const { rows } = await world.db.worker.withCompany(companyId, (tx) =>
        sql<{ kind: string }>`
          select kind from ledger_posting where company_id = company_id() and source_id = ${sourceId} order by id`.execute(
          tx,
        ),
      );
      return rows.map(({ kind }) => kind);
    },
    /** What the chain has of a hash. */
    async onChain(hash: string) {
      const { raw } = present(await world.gateway.transaction(hash as `0x${string}`));
      return parseTransaction(present(raw));
    },
    async etherOf(address: `0x${string}`): Promise<bigint> {
      return present((await world.gateway.nativeBalances([address], await world.gateway.head()))[0]);
    },
    async expectPaid(company: Company, id: string): Promise<void> {
      expect(await cases.stageOf(company, id)).toMatchObject({ status: 'completed' });
      expect((await transactions(world, company)).filter(({ status }) => status === 'pending')).toEqual([]);
    },
    /** A transfer of USDT has failed by the empty transaction: nothing was paid, and all of it is back, once. */
    async expectGivenBack({ company, payee, id }: Case): Promise<void> {
      const end = { stage: 'failed', failureReason: 'stage.reason.replacedByEmpty' };
      expect(await cases.stageOf(company, id)).toMatchObject(end);
      expect((await transactions(world, company)).filter(({ type }) => type === 'failed_refund')).toHaveLength(1);
      expect(await cases.held(payee)).toBe('0');
      expect(await balances(world, company, 'USDT')).toEqual({ available: 100_000_000n, chain: -100_000_000n });
      await expectBooksToAgree(world);
    },
  };
}
export type ReplacingCases = ReturnType<typeof replacingCases>;
