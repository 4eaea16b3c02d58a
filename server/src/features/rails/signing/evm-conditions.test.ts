import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { executedExchange } from '../../../testing/chain-exchanges.ts';
import { approvalOf, approvedTransfer, decided, fundedCompany } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainId, chainWorld, walletOf } from '../../../testing/chain-world.ts';
import { transferRequest } from '../../../testing/evm-requests.ts';

/** Conditions of the signer's that no other one covers, on an EVM chain. */

let world: ChainWorld;
let company: Company;
beforeAll(async () => {
  world = await chainWorld();
  company = await fundedCompany(world, '1000');
});
afterAll(() => world.close());

const payee = '0x00000000000000000000000000000000000A11cE';
const usdt = { coin: 'USDT', amountMinor: 2_000_000n, payee };
let nonces = 0;

const refusalOf = (request: Parameters<typeof asked.refusalOf>[1]) => asked.refusalOf(world.signer, request);
const asSuperuser = (statement: string) => world.asSuperuser(`set session_replication_role = replica; ${statement}`);

function paying(id: string, nonce: number, more = {}) {
  return transferRequest(company.id, id, nonce, more);
}

function advancing(id: string, paymentId: string) {
  nonces += 1;
  const { plan, ...request } = paying(id, 5000 + nonces, { gasLimit: 21_000n });
  return { ...request, kind: 'gas', paymentId, plan: { ...plan, amountWei: 1000n } } as const;
}

async function authorised() {
  nonces += 1;
  return { id: await approvedTransfer(world, company, usdt), nonce: nonces };
}

test('the bytes of an advance are given again for its transfer alone', async () => {
  const [{ id }, advanceId] = [await authorised(), newId()];
  await asked.signed(world.signer, advancing(id, advanceId));
  const again = { kind: 'again', companyId: company.id, transferId: id, paymentId: advanceId } as const;
  expect(await refusalOf(again)).toBe('signed');
  expect(await refusalOf({ ...again, transferId: advanceId })).toBe('unknown');
});

test('what was signed is raised for a record with a payee alone', async () => {
  const { id, nonce } = await authorised();
  await asked.signed(world.signer, paying(id, nonce));
  await asSuperuser(`update causeway.transaction set payee_account = null where id = '${id}'`);
  expect(await refusalOf(paying(id, nonce, { maxFeePerGas: 4_000_000_000n }))).toBe('forged');
});

test('a sweep says which address it is from', async () => {
  const id = newId();
  await world.asSuperuser(`insert into causeway.transaction
      (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, payee_account)
    values ('${company.id}', '${id}', 'chain_sweep', 'pending', 'signing', 'out', '${walletOf(company, 'USDT')}', '${chainId}', 'USDT',
      5000000, '${company.address}')`);
  nonces += 1;
  expect(await refusalOf(paying(id, nonces))).toBe('forged');
});

test('a settlement is paid after the advance for its network fee', async () => {
  const boughtMinor = 99_000_000n;
  const exchange = { sell: 'USDT', soldMinor: 100_000_000n, buy: 'USDC', boughtMinor };
  const exchangeId = await executedExchange(world, company, exchange);
  const id = newId();
  await asSuperuser(`
    insert into causeway.settlement (company_id, id, wallet_id, chain_id, coin, direction, amount, cause)
      values ('${company.id}', '${id}', '${walletOf(company, 'USDC')}', '${chainId}', 'USDC', 'in', ${boughtMinor}, 'nightly');
    insert into causeway.settlement_leg (company_id, exchange_id, side, settlement_id, amount)
      values ('${company.id}', '${exchangeId}', 'bought', '${id}', ${boughtMinor});
    set session_replication_role = origin;
    insert into causeway.transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, payee_account, payer_account)
      values ('${company.id}', '${id}', 'fx_settlement_in', 'pending', 'signing', 'in', '${walletOf(company, 'USDC')}', '${chainId}', 'USDC',
        ${boughtMinor}, '${company.address}', 'x')`);
  expect(await refusalOf(advancing(id, newId()))).toBe('signed');
  nonces += 1;
  expect(await refusalOf(paying(id, nonces))).toBe('signed');
});

test('a payment that is approved with others is signed once decisions name what it is a part of', async () => {
  const [taskId, approver] = [newId(), newId()];
  const subject = { kind: 'batch', id: newId(), digest: 'ab'.repeat(32) } as const;
  const review = { taskId, ruleId: newId(), ruleVersion: 1, nodes: [{ needed: 1, people: [approver], roles: [] }] };
  const seal: typeof world.seal = (type, claims) => world.seal(type, { ...claims, version: 3, subject });
  const id = await approvedTransfer({ ...world, seal }, company, { ...usdt, review });
  nonces += 1;
  const request = paying(id, nonces);
  const approved = { companyId: company.id, taskId, transferId: id, digest: subject.digest };
  await decided(world, company, approvalOf(approved, newId(), { node: 0 }));
  expect(await refusalOf(request)).toBe('forged');
  await decided(world, company, approvalOf(approved, approver, { subjectKind: 'batch', subjectId: subject.id }));
  expect(await refusalOf(request)).toBe('signed');
});
