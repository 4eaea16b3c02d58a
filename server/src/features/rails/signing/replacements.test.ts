import { type Hex, parseTransaction, recoverTransactionAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { agreeOnEmpty } from '../../../testing/agreed-replacement.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { approvedTransfer, fundedCompany } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainWorld } from '../../../testing/chain-world.ts';
import {
  type EvmRequest,
  type Pricing,
  transferRequest as requestOf,
  withNonce,
} from '../../../testing/evm-requests.ts';
import type { PaymentRequest } from '../../chains/index.ts';

/** What the signer takes for an empty transaction in a payment's place, and all that it does not. */

let world: ChainWorld;
let company: Company;
beforeAll(async () => {
  world = await chainWorld();
  company = await fundedCompany(world, '1000');
});
afterAll(() => world.close());

const payee = '0x00000000000000000000000000000000000A11cE';
const thief = '0x000000000000000000000000000000000000dEaD';
interface Payment {
  id: string;
  nonce: number;
}

let nonces = 0;
async function authorised(): Promise<Payment> {
  const id = await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 2_000_000n, payee });
  nonces += 1;
  return { id, nonce: nonces };
}

const transferRequest = ({ id, nonce }: Payment, pricing: Partial<Pricing> = {}) =>
  requestOf(company.id, id, nonce, pricing);

async function signed(): Promise<Payment> {
  const payment = await authorised();
  await asked.signed(world.signer, transferRequest(payment));
  return payment;
}

const dearer = { gasLimit: 21_000n, maxFeePerGas: 4_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n };
const emptyRequest = (payment: Payment, pricing: Partial<Pricing> = {}): EvmRequest => ({
  ...transferRequest(payment, { ...dearer, ...pricing }),
  kind: 'empty',
});
const refusalOf = (request: PaymentRequest) => asked.refusalOf(world.signer, request);

const entriesOf = ({ id }: Payment) =>
  asked
    .journalEntries(world)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ paymentId }) => paymentId === id);

describe('the signer signs an empty transaction', () => {
  test('from the address to itself, of no value and no data, under the payment’s nonce, once two operators agreed', async () => {
    const payment = await signed();
    await agreeOnEmpty(world, company, payment);
    const { raw } = await asked.signed(world.signer, emptyRequest(payment));
    const { to, value = 0n, data, nonce, gas } = parseTransaction(raw as Hex);
    expect({ to: to?.toLowerCase(), value, data, nonce, gas }).toEqual({
      to: company.address.toLowerCase(),
      value: 0n,
      data: undefined,
      nonce: payment.nonce,
      gas: 21_000n,
    });
    expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(company.address);
    expect(entriesOf(payment).map(({ kind, nonce: at, amountMinor }) => [kind, at, amountMinor])).toEqual([
      ['transfer', payment.nonce, '2000000'],
      ['empty', payment.nonce, '0'],
    ]);
    // The same bytes again, and no further entry.
    expect((await asked.signed(world.signer, emptyRequest(payment))).raw).toBe(raw);
    expect(entriesOf(payment)).toHaveLength(2);
  });

  test('with the very fees of the payment too, and it is in the journal before it is signed', async () => {
    const payment = await authorised();
    const fees = { ...dearer };
    await asked.signed(world.signer, transferRequest(payment, fees));
    await agreeOnEmpty(world, company, payment);
    const { raw } = await asked.signed(world.signer, emptyRequest(payment, fees));
    expect(parseTransaction(raw as Hex).to?.toLowerCase()).toBe(company.address.toLowerCase());
    expect(entriesOf(payment)).toHaveLength(2);
  });

  test('from a wallet that is frozen, as one is whose deposit a reorganisation took', async () => {
    const payment = await signed();
    await agreeOnEmpty(world, company, payment);
    await world.asSuperuser(`update causeway.wallet set frozen_at = now() where company_id = '${company.id}'`);
    expect(await refusalOf(emptyRequest(payment))).toBe('signed');
    await world.asSuperuser(`update causeway.wallet set frozen_at = null where company_id = '${company.id}'`);
  });

  test('with a higher fee again, although a restore has lost what was agreed', async () => {
    const payment = await signed();
    await agreeOnEmpty(world, company, payment);
    await asked.signed(world.signer, emptyRequest(payment));
    await world.asSuperuser(`delete from causeway.operator_replacement where transfer_id = '${payment.id}'`);
    expect(await refusalOf(emptyRequest(payment, { maxFeePerGas: 5_000_000_000n }))).toBe('signed');
  });
});

describe('the signer refuses an empty transaction', () => {
  test.each([
    ['another recipient', { to: thief }],
    ['a recipient by the name that the journal has', { toAddress: thief }],
    ['a value', { value: 1n }],
    ['the amount of an advance', { amountWei: 1n }],
    ['data', { data: '0xa9059cbb' }],
  ])('with %s', async (_what, more) => {
    const payment = await signed();
    await agreeOnEmpty(world, company, payment);
    const { plan, ...request } = emptyRequest(payment);
    expect(await refusalOf({ ...request, plan: { ...plan, ...more } })).toBe('invalid-plan');
    expect(entriesOf(payment)).toHaveLength(1);
  });

  test('under another nonce than the payment’s, whatever was sealed', async () => {
    const payment = await signed();
    const other = { id: payment.id, nonce: 7000 + payment.nonce };
    await agreeOnEmpty(world, company, payment);
    await agreeOnEmpty(world, company, other);
    expect(await refusalOf(withNonce(emptyRequest(payment), other.nonce))).toBe('other-payment');
  });

  test('under another id than the payment’s', async () => {
    const payment = await signed();
    await agreeOnEmpty(world, company, payment);
    expect(await refusalOf({ ...emptyRequest(payment), paymentId: newId() })).toBe('other-payment');
    const another = await signed();
    expect(await refusalOf({ ...emptyRequest(payment), transferId: another.id, paymentId: another.id })).toBe(
      'other-payment',
    );
  });

  test('for a payment that was never signed', async () => {
    const payment = await authorised();
    await agreeOnEmpty(world, company, payment);
    expect(await refusalOf(emptyRequest(payment))).toBe('unknown');
  });

  test.each(['completed', 'failed', 'cancelled', 'refused'])('for a payment that has %s', async (stage) => {
    const payment = await signed();
    await agreeOnEmpty(world, company, payment);
    await world.asSuperuser(
      `insert into causeway.transaction_stage (company_id, transaction_id, id, stage)
       values ('${company.id}', '${payment.id}', '${newId()}', '${stage}')`,
    );
    expect(await refusalOf(emptyRequest(payment))).toBe('ended');
  });

  test('on which no one agreed, or that was agreed for another payment', async () => {
    const [payment, other] = [await signed(), await signed()];
    await agreeOnEmpty(world, company, other);
    expect(await refusalOf(emptyRequest(payment))).toBe('forged');
    // The seal of the other, under the id of this one.
    await agreeOnEmpty(world, company, payment, { claims: { transferId: other.id } });
    await agreeOnEmpty(world, company, payment, { claims: { resources: [`${company.address}/${other.nonce}`] } });
    await agreeOnEmpty(world, company, payment, { claims: { companyId: newId() } });
    await agreeOnEmpty(world, company, payment, { claims: { chainId: 'harbour' } });
    expect(await refusalOf(emptyRequest(payment))).toBe('forged');
  });

  test.each(['pending', 'refused'] as const)('whose act is %s', async (state) => {
    const payment = await signed();
    await agreeOnEmpty(world, company, payment, { state });
    expect(await refusalOf(emptyRequest(payment))).toBe('forged');
  });

  test('that one operator wanted alone, or others than those of the act', async () => {
    const payment = await signed();
    await agreeOnEmpty(world, company, payment, { isAlone: true });
    await agreeOnEmpty(world, company, payment, { claims: { confirmedBy: newId() } });
    await agreeOnEmpty(world, company, payment, { claims: { proposedBy: newId() } });
    await agreeOnEmpty(world, company, payment, { claims: { proposalId: newId() } });
    expect(await refusalOf(emptyRequest(payment))).toBe('forged');
  });

  test('under a seal of the companies’ process, or one of another kind', async () => {
    const payment = await signed();
    await agreeOnEmpty(world, company, payment, { seal: world.seal });
    await agreeOnEmpty(world, company, payment, { seal: (_type, claims) => world.seal('causeway-transfer', claims) });
    expect(await refusalOf(emptyRequest(payment))).toBe('forged');
  });

  test('with more gas than a plain transfer takes, or a fee beyond the limit', async () => {
    const payment = await signed();
    await agreeOnEmpty(world, company, payment);
    expect(await refusalOf(emptyRequest(payment, { gasLimit: 21_001n }))).toBe('cost-cap');
    expect(await refusalOf(emptyRequest(payment, { maxFeePerGas: 10n ** 18n }))).toBe('cost-cap');
  });
});

test('once an empty transaction was signed, no other attempt of the payment is: only bytes that exist are given again', async () => {
  const payment = await signed();
  const { raw } = await asked.signed(world.signer, transferRequest(payment));
  await agreeOnEmpty(world, company, payment);
  await asked.signed(world.signer, emptyRequest(payment));
  expect(await refusalOf(transferRequest(payment, { maxFeePerGas: 9_000_000_000n }))).toBe('other-payment');
  expect((await asked.signed(world.signer, transferRequest(payment))).raw).toBe(raw);
  expect(entriesOf(payment)).toHaveLength(2);
});
