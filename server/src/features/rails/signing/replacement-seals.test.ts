import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { agreeOnEmpty } from '../../../testing/agreed-replacement.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { approvedTransfer, fundedCompany } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainWorld } from '../../../testing/chain-world.ts';
import { transferRequest } from '../../../testing/evm-requests.ts';
import type { ReplacementClaims } from './replacements.ts';

/** Genuine seals of the operator's process over something else than the empty transaction that is asked for. */

let world: ChainWorld;
let company: Company;
beforeAll(async () => {
  world = await chainWorld();
  company = await fundedCompany(world, '1000');
});
afterAll(() => world.close());

const payee = '0x00000000000000000000000000000000000A11cE';
let nonces = 0;

async function signed(): Promise<{ id: string; nonce: number }> {
  nonces += 1;
  const payment = {
    id: await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee }),
    nonce: nonces,
  };
  await asked.signed(world.signer, transferRequest(company.id, payment.id, payment.nonce));
  return payment;
}

const dearer = { gasLimit: 21_000n, maxFeePerGas: 4_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n };
const emptyRefusal = ({ id, nonce }: { id: string; nonce: number }) =>
  asked.refusalOf(world.signer, { ...transferRequest(company.id, id, nonce, dearer), kind: 'empty' });

test.each<[string, (payment: { id: string; nonce: number }) => object]>([
  ['of a version that it does not know', () => ({ version: 2 })],
  ['that names no nonce', () => ({ resources: [] })],
  [
    'that names a nonce beside the payment’s',
    ({ nonce }) => ({ resources: [`${company.address}/${nonce}`, `${company.address}/${nonce + 1000}`] }),
  ],
  ['of several payments of which it is one', ({ id }) => ({ payments: [id, newId()] })],
  ['that lists this payment under the id of another', ({ id }) => ({ transferId: newId(), payments: [id] })],
])('a seal %s is no agreement', async (_which, claimsOf) => {
  const payment = await signed();
  await agreeOnEmpty(world, company, payment, { claims: claimsOf(payment) as Partial<ReplacementClaims> });
  expect(await emptyRefusal(payment)).toBe('forged');
  await agreeOnEmpty(world, company, payment, { claims: { payments: [payment.id] } });
  expect(await emptyRefusal(payment)).toBe('signed');
});
