import { sql } from 'kysely';
import pg from 'pg';
import { type Hex, keccak256, parseTransaction, recoverTransactionAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { approvedTransfer, fundedCompany, transactions } from '../../../testing/chain-transfers.ts';
import {
  balances,
  type ChainWorld,
  type Company,
  chainId,
  chainWorld,
  depth,
  walletOf,
} from '../../../testing/chain-world.ts';
import { transferRequest as evmRequest, type Pricing } from '../../../testing/evm-requests.ts';
import type { PaymentRequest } from '../../chains/index.ts';

let world: ChainWorld;
let company: Company;
beforeAll(async () => {
  world = await chainWorld();
  company = await fundedCompany(world, '1000');
});
afterAll(() => world.close());

const payee = '0x00000000000000000000000000000000000A11cE';
const thief = '0x000000000000000000000000000000000000dEaD';

function transferRequest(transferId: string, nonce: number, changed: Partial<Pricing> = {}): PaymentRequest {
  return evmRequest(company.id, transferId, nonce, changed);
}

let advances = 900;
function gasRequest(transferId: string, amountWei: bigint, paymentId = newId()): PaymentRequest {
  advances += 1;
  const { plan, ...request } = evmRequest(company.id, transferId, advances, { gasLimit: 21_000n });
  return { ...request, kind: 'gas', paymentId, plan: { ...plan, amountWei } };
}

let nonces = 0;
async function authorised(): Promise<{ id: string; nonce: number }> {
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee });
  nonces += 1;
  return { id, nonce: nonces };
}

/** Writes as the worker may write: a record of a transfer that was never authorised. */
async function forgedTransfer(): Promise<string> {
  const id = newId();
  await world.db.worker.withCompany(company.id, (tx) =>
    sql`insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity,
        payee_id, payee_account)
      values (company_id(), ${id}, 'chain_withdraw', 'pending', 'signing', 'out', ${walletOf(company, 'USDT')},
        ${chainId}, 'USDT', 5000000, ${newId()}, ${thief})`.execute(tx),
  );
  return id;
}

describe('the signer signs', () => {
  test('what was authorised, to the last unit and to the payee, from the company’s own address', async () => {
    const { id, nonce } = await authorised();
    const answer = await asked.signed(world.signer, transferRequest(id, nonce));
    const parsed = parseTransaction(answer.raw as Hex);
    expect(parsed).toMatchObject({ nonce, chainId: world.chain.chainId, type: 'eip1559' });
    expect(parsed.to?.toLowerCase()).toBe(world.chain.treasury.contracts.USDT.toLowerCase());
    expect(parsed.data).toContain(payee.slice(2).toLowerCase());
    expect(BigInt(`0x${parsed.data?.slice(-64)}`)).toBe(2_000_000n);
    const sender = await recoverTransactionAddress({ serializedTransaction: answer.raw as `0x02${string}` });
    expect(sender).toBe(company.address);
    expect(answer.hash).toBe(keccak256(answer.raw as Hex));
  });

  test('the same bytes when asked again, and others only for other fees under the same nonce', async () => {
    const { id, nonce } = await authorised();
    const first = await world.signer.sign(transferRequest(id, nonce));
    expect(await world.signer.sign(transferRequest(id, nonce))).toEqual(first);
    const dearer = await world.signer.sign(transferRequest(id, nonce, { maxFeePerGas: 4_000_000_000n }));
    expect(dearer).toMatchObject({ signed: true });
    expect(dearer).not.toEqual(first);
  });

  test('an advance from the gas tank to the company’s own address', async () => {
    const { id } = await authorised();
    const answer = await asked.signed(world.signer, gasRequest(id, 1_000_000n));
    expect(parseTransaction(answer.raw as Hex)).toMatchObject({ value: 1_000_000n });
    expect(parseTransaction(answer.raw as Hex).to?.toLowerCase()).toBe(company.address.toLowerCase());
  });

  test('an advance for a wallet that is frozen, since the company keeps it', async () => {
    const { id } = await authorised();
    await world.asSuperuser(`update causeway.wallet set frozen_at = now() where company_id = '${company.id}'`);
    expect(await asked.refusalOf(world.signer, gasRequest(id, 1n))).toBe('signed');
    await world.asSuperuser(`update causeway.wallet set frozen_at = null where company_id = '${company.id}'`);
  });
});

describe('the signer refuses', () => {
  const refusalOf = (request: PaymentRequest) => asked.refusalOf(world.signer, request);

  test('a record that was forged with the worker’s rights', async () => {
    const id = await forgedTransfer();
    expect(await refusalOf(transferRequest(id, 500))).toBe('forged');
    expect(await refusalOf(gasRequest(id, 1n))).toBe('forged');
  });

  test('a forged record that borrows the authorisation of another transfer', async () => {
    const { id } = await authorised();
    const forged = await forgedTransfer();
    const borrow = world.db.worker.withCompany(company.id, (tx) =>
      sql`insert into outgoing_authorisation (company_id, transaction_id, jws)
        select company_id, ${forged}, jws from outgoing_authorisation
        where company_id = company_id() and transaction_id = ${id}`.execute(tx),
    );
    // The worker may not even write it; the HTTP process may, and it is refused all the same.
    await expect(borrow).rejects.toMatchObject({ code: '42501' });
    await world.db.app.withCompany(company.id, (tx) =>
      sql`insert into outgoing_authorisation (company_id, transaction_id, jws)
        select company_id, ${forged}, jws from outgoing_authorisation
        where company_id = company_id() and transaction_id = ${id}`.execute(tx),
    );
    expect(await refusalOf(transferRequest(forged, 501))).toBe('forged');
  });

  test('a payee, an amount, notes or a seal that was changed after the authorisation', async () => {
    const { id, nonce } = await authorised();
    const worker = world.db.worker.withCompany(company.id, (tx) =>
      sql`update transaction set payee_account = ${thief} where company_id = company_id() and id = ${id}`.execute(tx),
    );
    await expect(worker).rejects.toMatchObject({ code: '42501' });
    // Even with all rights over the database the digest no longer fits.
    await world.asSuperuser(`update causeway.transaction set payee_account = '${thief}' where id = '${id}'`);
    expect(await refusalOf(transferRequest(id, nonce))).toBe('forged');
    await world.asSuperuser(
      `update causeway.transaction set payee_account = '${payee}', quantity = 9000000 where id = '${id}'`,
    );
    expect(await refusalOf(transferRequest(id, nonce))).toBe('forged');
    await world.asSuperuser(`update causeway.transaction set quantity = 2000000, notes = 'rent' where id = '${id}'`);
    expect(await refusalOf(transferRequest(id, nonce))).toBe('forged');
    await world.asSuperuser(`update causeway.transaction set notes = '' where id = '${id}'`);
    expect(await refusalOf(transferRequest(id, nonce))).toBe('signed');
  });

  test('a second nonce for the same payment, and a second payment for the same nonce', async () => {
    const { id, nonce } = await authorised();
    await world.signer.sign(transferRequest(id, nonce));
    expect(await world.signer.sign(transferRequest(id, nonce + 100))).toEqual({
      signed: false,
      refusal: 'other-payment',
      journaled: true,
    });
    const other = await authorised();
    expect(await world.signer.sign(transferRequest(other.id, nonce))).toEqual({
      signed: false,
      refusal: 'nonce-taken',
      journaled: false,
    });
  });

  test('a transfer that was cancelled, whatever its row says now', async () => {
    const { id, nonce } = await authorised();
    await world.db.worker.withCompany(company.id, (tx) =>
      sql`insert into transaction_stage (company_id, transaction_id, id, stage)
        values (company_id(), ${id}, ${newId()}, 'cancelled')`.execute(tx),
    );
    expect(await refusalOf(transferRequest(id, nonce))).toBe('ended');
  });

  test('an address that is not derived from its own seed', async () => {
    const { id, nonce } = await authorised();
    const own = `update causeway.chain_address set address = '${thief}' where company_id = '${company.id}'`;
    await world.asSuperuser(own);
    expect(await refusalOf(gasRequest(id, 1n))).toBe('foreign-address');
    expect(await refusalOf(transferRequest(id, nonce))).toBe('foreign-address');
    await world.asSuperuser(own.replace(thief, company.address));
  });

  test('network fees and advances above its caps, and the tank as a source of anything else', async () => {
    const { id, nonce } = await authorised();
    const dear = { gasLimit: 1_000_000n, maxFeePerGas: 1_000_000_000_000n };
    expect(await refusalOf(transferRequest(id, nonce, dear))).toBe('cost-cap');
    expect(await refusalOf(gasRequest(id, 10n ** 18n))).toBe('top-up-cap');
    expect(await refusalOf(gasRequest(newId(), 1n))).toBe('unknown');
  });

  test('a coin whose contract the registry says differently from its own configuration', async () => {
    const { id, nonce } = await authorised();
    const superuser = new pg.Client({ connectionString: world.db.superuserUrl });
    await superuser.connect();
    const contract = (value: string) =>
      superuser.query("update causeway.chain_asset set contract = $1 where chain_id = $2 and coin = 'USDT'", [
        value,
        chainId,
      ]);
    await contract(thief);
    try {
      expect(await world.signer.sign(transferRequest(id, nonce))).toMatchObject({
        signed: false,
        refusal: 'other-coin',
      });
    } finally {
      await contract(world.chain.treasury.contracts.USDT);
      await superuser.end();
    }
    expect(await world.signer.sign(transferRequest(id, nonce))).toMatchObject({ signed: true });
  });

  test('a frozen wallet; and writes no intent for what it refuses', async () => {
    const { id, nonce } = await authorised();
    const journaled = () =>
      world.db.operator.withoutCompany(async (tx) => {
        const { rows } = await sql`select from signer_journal where transfer_id = ${id}`.execute(tx);
        return rows.length;
      });
    await world.asSuperuser(`update causeway.wallet set frozen_at = now() where company_id = '${company.id}'`);
    expect(await refusalOf(transferRequest(id, nonce))).toBe('frozen');
    expect(await journaled()).toBe(0);
    await world.asSuperuser(`update causeway.wallet set frozen_at = null where company_id = '${company.id}'`);
    expect(await refusalOf(transferRequest(id, nonce))).toBe('signed');
    expect(await journaled()).toBe(1);
  });
});

test('a record that was changed before the worker takes it up ends refused, and the nonce serves the next', async () => {
  // A world of its own: nonces that the tests above had signed are never used again.
  await world.close();
  world = await chainWorld();
  const victim = await fundedCompany(world, '100');
  const id = await approvedTransfer(world, victim, { coin: 'USDT', amountMinor: 20_000_000n, payee });
  await world.asSuperuser(`update causeway.transaction set payee_account = '${thief}' where id = '${id}'`);
  await world.work();
  expect((await transactions(world, victim)).find((row) => row.id === id)).toMatchObject({
    status: 'failed',
    stage: 'refused',
    failureReason: 'stage.reason.signerRefused',
  });
  expect(await balances(world, victim, 'USDT')).toEqual({ available: 100_000_000n, chain: -100_000_000n });

  const honest = await approvedTransfer(world, victim, { coin: 'USDT', amountMinor: 20_000_000n, payee });
  await world.work();
  await world.advance(depth + 2);
  expect((await transactions(world, victim)).find((row) => row.id === honest)).toMatchObject({ status: 'completed' });
  expect(await world.chain.treasury.balance('USDT', payee)).toBe('20');
  expect(await world.chain.treasury.balance('USDT', thief)).toBe('0');
  await expectBooksToAgree(world);
});
