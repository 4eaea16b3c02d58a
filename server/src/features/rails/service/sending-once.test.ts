import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import {
  approvedTransfer,
  finishTransfer,
  fundedCompany,
  newPayee,
  sendsOf,
  transactions,
} from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainId, chainWorld } from '../../../testing/chain-world.ts';
import type { EvmGateway, Signer } from '../../chains/index.ts';
import { sendPayment } from '../../outgoing/index.ts';
import { failTransfer } from './refusing.ts';
import { createChainRail } from './sending.ts';

/** One payment, whatever two workers or two attempts of it do. */

let world: ChainWorld;
beforeAll(async () => {
  world = await chainWorld();
});
afterAll(() => world.close());

const held = (address: string) => world.chain.treasury.balance('USDT', address as `0x${string}`);

test('a payment that another attempt makes final, after a deep reorganisation took the first from its block, is settled anew', async () => {
  const company = await fundedCompany(world, '50', 'USDT');
  const payee = newPayee();
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee });
  await world.work();
  await world.advance(1);
  const before = world.chain.engine.tip().height;
  expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'completed' });
  await world.chain.engine.reorganise(world.chain.engine.tip().height - before, false);
  await world.follow();
  expect((await transactions(world, company)).find((row) => row.id === id)).toMatchObject({ stage: 'broadcast' });
  await world.tend({ stuckAfterMs: 0, rebroadcastAfterMs: 3_600_000 });
  expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'completed' });
  const { rows } = await world.db.worker.withoutCompany((tx) =>
    sql`select attempt from chain_send where transfer_id = ${id} and kind = 'transfer' and gas_cost is not null`.execute(
      tx,
    ),
  );
  expect(rows).toEqual([{ attempt: 2 }]);
  expect(await held(payee)).toBe('20');
  await expectBooksToAgree(world);
});

describe('of two workers at one transfer', () => {
  /**
   * A transfer whose network fee has arrived; the one worker's estimate takes as long as the other needs to sign it. The
   * other's broadcast is lost on the way, so the transfer's stage does not tell yet that anything was begun.
   */
  async function overtaken(outcome: 'reverts' | bigint): Promise<{ company: Company; id: string; payee: string }> {
    const company = await fundedCompany(world, '50', 'USDT');
    const payee = newPayee();
    const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 20_000_000n, payee });
    await world.work();
    await world.chain.engine.mine(1);
    await world.follow();
    const parts = world.parts();
    const send = (gateway: EvmGateway) =>
      sendPayment(
        {
          database: parts.database,
          kinds: parts.kinds,
          rails: [createChainRail({ ...parts, gateways: new Map([[chainId, gateway]]) })],
        },
        company.id,
        id,
      );
    const unreachable: EvmGateway = {
      ...world.gateway,
      async broadcast() {
        throw new Error('unreachable');
      },
    };
    const slow: EvmGateway = {
      ...world.gateway,
      async estimateGas() {
        await expect(send(unreachable)).rejects.toThrow('unreachable');
        return outcome;
      },
    };
    await send(slow);
    return { company, id, payee };
  }

  test('one that finds the payment impossible ends nothing that the other has begun', async () => {
    const { company, id, payee } = await overtaken('reverts');
    expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'completed' });
    expect(await held(payee)).toBe('20');
    expect((await sendsOf(world, id)).filter((send) => send.kind === 'transfer')).toHaveLength(1);
    await expectBooksToAgree(world);
  });

  test('one that can still pay uses what the other has begun', async () => {
    const { company, id, payee } = await overtaken(60_000n);
    expect(await finishTransfer(world, company, id)).toMatchObject({ status: 'completed' });
    expect(await held(payee)).toBe('20');
    expect((await sendsOf(world, id)).filter((send) => send.kind === 'transfer')).toHaveLength(1);
  });

  test('one gives no nonce to a transfer that the other has ended', async () => {
    const company = await fundedCompany(world, '50', 'USDT');
    const id = await approvedTransfer(world, company, {
      coin: 'USDT',
      amountMinor: 20_000_000n,
      payee: newPayee(),
    });
    await world.work();
    await world.chain.engine.mine(1);
    await world.follow();
    const failing: EvmGateway = {
      ...world.gateway,
      async estimateGas(call) {
        const limit = await world.gateway.estimateGas(call);
        await failTransfer(world.parts(), company.id, id, 'failed', 'stage.reason.wouldRevert');
        return limit;
      },
    };
    const asked: string[] = [];
    const signer: Signer = {
      sign(request) {
        asked.push(request.kind);
        return world.signer.sign(request);
      },
    };
    await world.work({ gateway: failing, signer });
    expect(asked).toEqual([]);
    expect((await transactions(world, company)).find((row) => row.id === id)).toMatchObject({ stage: 'failed' });
    expect((await sendsOf(world, id)).filter((send) => send.kind === 'transfer')).toEqual([]);
    await expectBooksToAgree(world);
  });
});
