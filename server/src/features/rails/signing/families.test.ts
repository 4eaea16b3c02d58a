import { rmSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthorisationKeys } from '../../../platform/crypto/new-keys.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import { beginRestoreMode } from '../../../platform/database/restore-mode.ts';
import { newId } from '../../../platform/ids.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { approvalOf, approvedTransfer, decided, subjectOf } from '../../../testing/chain-transfers.ts';
import { utxoAddressOf } from '../../../testing/utxo/family.ts';
import { isSigned } from '../../../testing/utxo/signer-family.ts';
import {
  type Coin,
  newCoin,
  river,
  spendRequest,
  type UtxoCompany,
  type UtxoSignerWorld,
  utxoSignerWorld,
} from '../../../testing/utxo/signer-world.ts';
import type { PaymentRequest } from '../../chains/index.ts';
import type { SealedReview } from '../../outgoing/index.ts';

/** The common part of the signer with a family that has no accounts, no nonces and several outputs. */

const payee = utxoAddressOf('the payee');
const thief = utxoAddressOf('the thief');
const due = 70_000n;
const fee = 1_000n;

let world: UtxoSignerWorld;
let company: UtxoCompany;
let other: UtxoCompany;
beforeAll(async () => {
  world = await utxoSignerWorld({ maxFeeMinor: 5_000n });
  company = await world.company();
  other = await world.company();
});
afterAll(() => world.close());

const own = (ordinal: number) => company.addresses[ordinal] ?? '';

/** Two outputs of different addresses that pay the payee together. */
const twoCoins = (): Coin[] => [newCoin(own(0), 50_000n), newCoin(own(3), 40_000n)];
const change = { address: own, amountMinor: 90_000n - due - fee };
const payment = { address: payee, amountMinor: due };

async function authorised(inputs = twoCoins(), changeMinor = change.amountMinor) {
  const transferId = await world.transfer(company, payee, due);
  const outputs = [payment, { address: own(5), amountMinor: changeMinor }];
  return { transferId, inputs, request: spendRequest(company, transferId, inputs, outputs) };
}

const signed = (request: PaymentRequest) => asked.signed(world, request);
const refusalOf = (request: PaymentRequest) => asked.refusalOf(world, request);

async function rows(transferId: string): Promise<Record<string, unknown>[]> {
  const found = await world.db.operator.withoutCompany((tx) =>
    sql<Record<string, unknown>>`
      select family, kind, nonce, from_address, gas_limit, to_address, amount, plan, tx_hash, imported
      from signer_journal where transfer_id = ${transferId} order by seq`.execute(tx),
  );
  return found.rows;
}

describe('the signer signs', () => {
  test('what several addresses of the company spend, with a key of each, and keeps what it meant', async () => {
    const { transferId, inputs, request } = await authorised();
    const { raw, hash } = await signed(request);
    expect(isSigned(river.id, raw, inputs)).toBe(true);
    // The signatures are of the addresses' own keys, over what the inputs are worth.
    expect(isSigned(river.id, raw, [...inputs].reverse())).toBe(false);
    expect(isSigned(river.id, raw, [{ ...(inputs[0] as Coin), amountMinor: 50_001n }, inputs[1] as Coin])).toBe(false);
    expect(JSON.parse(raw).outputs).toEqual([
      [payee, due.toString()],
      [own(5), change.amountMinor.toString()],
    ]);
    expect(await rows(transferId)).toMatchObject([
      { family: 'utxo', kind: 'transfer', nonce: null, from_address: null, gas_limit: null, tx_hash: hash },
    ]);
    expect((await rows(transferId))[0]).toMatchObject({ to_address: payee, amount: due, imported: false });
    expect(await world.compare()).toMatchObject({ agrees: true, isRestoring: false });
  });

  test('the same bytes when asked again, without a second entry', async () => {
    const { transferId, request } = await authorised();
    const first = await signed(request);
    expect(await signed(request)).toEqual(first);
    expect(await rows(transferId)).toHaveLength(1);
    const again = { kind: 'again', companyId: company.id, transferId, paymentId: transferId } as const;
    expect(await world.sign(again)).toEqual(first);
    expect(await world.sign({ ...again, companyId: other.id })).toMatchObject({ refusal: 'unknown' });
    expect(await world.sign({ ...again, transferId: newId() })).toMatchObject({ refusal: 'unknown' });
    expect(await world.sign({ ...again, paymentId: newId() })).toMatchObject({ refusal: 'unknown' });
  });

  test('dearer attempts that spend the same or more, and an earlier one again', async () => {
    const { transferId, inputs, request } = await authorised();
    const first = await signed(request);
    const dearer = spendRequest(company, transferId, inputs, [payment, { address: own(5), amountMinor: 17_000n }]);
    expect((await signed(dearer)).hash).not.toBe(first.hash);
    const more = [...inputs, newCoin(own(1), 2_000n)];
    const dearest = spendRequest(company, transferId, more, [payment, { address: own(5), amountMinor: 18_000n }]);
    expect(isSigned(river.id, (await signed(dearest)).raw, more)).toBe(true);
    expect(await signed(request)).toEqual(first);
    expect(await rows(transferId)).toHaveLength(3);
  });
});

describe('an output of the company is spent for one payment alone', () => {
  test('also when it is one of several', async () => {
    const first = await authorised();
    await signed(first.request);
    const second = await authorised([first.inputs[1] as Coin, newCoin(own(2), 50_000n)]);
    expect(await world.sign(second.request)).toEqual({ signed: false, refusal: 'input-taken', journaled: false });
  });

  test('and a payment keeps what it was to spend: two attempts could be paid both otherwise', async () => {
    const { transferId, inputs, request } = await authorised();
    await signed(request);
    const outputs = [payment, { address: own(5), amountMinor: change.amountMinor }];
    expect(await refusalOf(spendRequest(company, transferId, twoCoins(), outputs))).toBe('other-payment');
    const half = [inputs[0] as Coin, newCoin(own(2), 40_000n)];
    expect(await refusalOf(spendRequest(company, transferId, half, outputs))).toBe('other-payment');
    // Under another payment's id the payee would be paid a second time.
    const second = { ...spendRequest(company, transferId, twoCoins(), outputs), paymentId: newId() };
    expect(await refusalOf(second)).toBe('other-payment');
  });
});

describe('the signer refuses', () => {
  const paying = async (outputs: { address: string; amountMinor: bigint }[]) => {
    const { transferId, inputs } = await authorised();
    const answer = await refusalOf(spendRequest(company, transferId, inputs, outputs));
    expect(await rows(transferId)).toHaveLength(answer === 'signed' ? 1 : 0);
    return answer;
  };

  test.each<[string, () => { address: string; amountMinor: bigint }[]]>([
    ['one to a third party', () => [payment, { address: thief, amountMinor: 19_000n }]],
    ['change to another company', () => [payment, { address: other.addresses[0] ?? '', amountMinor: 19_000n }]],
    [
      'the amount to a third party',
      () => [
        { address: thief, amountMinor: due },
        { address: own(5), amountMinor: 19_000n },
      ],
    ],
    ['none to the payee', () => [{ address: own(5), amountMinor: 89_000n }]],
    [
      'less to the payee',
      () => [
        { address: payee, amountMinor: due - 1n },
        { address: own(5), amountMinor: 19_001n },
      ],
    ],
    [
      'more to the payee',
      () => [
        { address: payee, amountMinor: due + 1n },
        { address: own(5), amountMinor: 18_999n },
      ],
    ],
    [
      'the amount in parts',
      () => [
        { address: payee, amountMinor: 40_000n },
        { address: payee, amountMinor: 30_000n },
      ],
    ],
    ['one more to the payee', () => [payment, { address: payee, amountMinor: 19_000n }]],
  ])('a plan whose outputs the record does not allow: %s', async (_, outputs) => {
    expect(await paying(outputs())).toBe('other-output');
  });

  test('no change is needed, and change may go to any address of the company', async () => {
    const exact = [newCoin(own(0), due + fee)];
    const transferId = await world.transfer(company, payee, due);
    expect(await refusalOf(spendRequest(company, transferId, exact, [payment]))).toBe('signed');
    expect(
      await paying([payment, { address: own(0), amountMinor: 9_000n }, { address: own(7), amountMinor: 10_000n }]),
    ).toBe('signed');
  });

  test('to spend from an address of another company, or of no owner', async () => {
    for (const address of [other.addresses[0] ?? '', thief]) {
      const { request } = await authorised([newCoin(own(0), 50_000n), newCoin(address, 40_000n)]);
      expect(await refusalOf(request)).toBe('foreign-address');
    }
  });

  test('an address that its seed does not give, whatever the database says', async () => {
    const { transferId, inputs, request } = await authorised();
    const become = (from: string, to: string) =>
      world.asSuperuser(`update causeway.chain_further_address set address = '${to}' where address = '${from}'`);
    const theirs = spendRequest(company, transferId, inputs, [payment, { address: thief, amountMinor: 19_000n }]);
    await become(own(5), thief);
    expect(await refusalOf(theirs)).toBe('foreign-address');
    await become(thief, own(5));
    expect(await refusalOf(theirs)).toBe('other-output');
    expect(await refusalOf(request)).toBe('signed');
  });

  test('a network fee above its cap, and one that is not what the outputs leave over', async () => {
    const dear = await authorised(twoCoins(), 90_000n - due - 5_001n);
    expect(await refusalOf(dear.request)).toBe('cost-cap');
    const highest = await authorised(twoCoins(), 90_000n - due - 5_000n);
    expect(await refusalOf(highest.request)).toBe('signed');
    const { request } = await authorised(twoCoins(), 1_000n);
    expect(await refusalOf({ ...request, plan: { ...request.plan, feeMinor: '1000' } })).toBe('invalid-plan');
  });

  test('what is no plan of the chain’s family', async () => {
    const { request, inputs } = await authorised();
    const evm = { nonce: 1, gasLimit: '1', maxFeePerGas: '1', maxPriorityFeePerGas: '1' };
    for (const plan of [evm, {}, { ...request.plan, inputs: [] }, { ...request.plan, nonce: 1 }]) {
      expect(await refusalOf({ ...request, plan })).toBe('invalid-plan');
    }
    expect(await refusalOf({ ...request, kind: 'gas', paymentId: newId() })).toBe('invalid-plan');
    const twice = [inputs[0] as Coin, inputs[0] as Coin];
    const outputs = [payment, { address: own(5), amountMinor: 29_000n }];
    expect(await refusalOf(spendRequest(company, request.transferId, twice, outputs))).toBe('invalid-plan');
    expect(await refusalOf(request)).toBe('signed');
  });

  test('a record without authorisation, of another company, that has ended, or whose wallet is frozen', async () => {
    const { transferId, request } = await authorised();
    const set = (what: string) =>
      world.asSuperuser(`update causeway.transaction set ${what} where id = '${transferId}'`);
    await set(`payee_account = '${thief}'`);
    expect(await refusalOf(request)).toBe('forged');
    await set(`payee_account = '${payee}'`);
    await world.asSuperuser(`update causeway.wallet set frozen_at = now() where company_id = '${company.id}'`);
    expect(await refusalOf(request)).toBe('frozen');
    await world.asSuperuser(`update causeway.wallet set frozen_at = null where company_id = '${company.id}'`);
    for (const end of ['cancelled', 'refused', 'failed']) {
      const ended = await authorised();
      await world.db.worker.withCompany(company.id, (tx) =>
        sql`insert into transaction_stage (company_id, transaction_id, id, stage)
          values (company_id(), ${ended.transferId}, ${newId()}, ${end})`.execute(tx),
      );
      expect(await refusalOf(ended.request), end).toBe('ended');
      expect(await rows(ended.transferId)).toEqual([]);
    }
    expect(await refusalOf({ ...request, companyId: other.id })).toBe('unknown');
    expect(await rows(transferId)).toEqual([]);
    expect(await refusalOf(request)).toBe('signed');
  });

  test('an authorisation of the first version under a review, or of a version that is not known', async () => {
    const refusal = (transferId: string) =>
      refusalOf(spendRequest(company, transferId, twoCoins(), [payment, { address: own(5), amountMinor: 19_000n }]));
    const sealed = (version: number, review?: SealedReview) => {
      const seal: Seal = (type, claims) => world.seal(type, { ...claims, version });
      const transfer = { coin: 'BTC', chain: river.id, amountMinor: due, payee, ...(review && { review }) };
      return approvedTransfer({ db: world.db, seal }, company, transfer);
    };
    const reviewed = async (version: number) => {
      const approver = newId();
      const nodes = [{ needed: 1, people: [approver], roles: [] }];
      const review = { taskId: newId(), ruleId: newId(), ruleVersion: 1, nodes };
      const transferId = await sealed(version, review);
      const { digest } = await subjectOf(world, company, transferId);
      const approved = { companyId: company.id, taskId: review.taskId, transferId, digest };
      await decided(world, company, approvalOf(approved, approver));
      return refusal(transferId);
    };
    expect(await refusal(await sealed(1))).toBe('signed');
    expect(await refusal(await sealed(4))).toBe('forged');
    // Approved with others, without a word of what that is.
    expect(await refusal(await sealed(3))).toBe('forged');
    expect(await reviewed(2)).toBe('signed');
    expect(await reviewed(1)).toBe('forged');
  });

  test('every payment while restore mode holds, also when the operator began it', async () => {
    const { request } = await authorised();
    const begun = { cause: 'operator', reason: 'a drill', by: 'test' } as const;
    await world.db.operator.withoutCompany((tx) => beginRestoreMode(tx, begun));
    expect(await refusalOf(request)).toBe('restoring');
    await asked.releaseRestoreMode(world);
    expect(await refusalOf(request)).toBe('signed');
  });

  test('a chain that is not in its configuration', async () => {
    const { request } = await authorised();
    await world.stopSigner();
    await world.startSigner({ chains: [] });
    expect(await refusalOf(request)).toBe('other-coin');
    await world.stopSigner();
    await world.startSigner();
    expect(await refusalOf(request)).toBe('signed');
  });

  test('a chain that the registry describes otherwise than its own configuration', async () => {
    const { request } = await authorised();
    const chain = (what: string) => world.asSuperuser(`update causeway.chain set ${what} where id = '${river.id}'`);
    await chain(`family = 'evm', evm_chain_id = 1`);
    expect(await refusalOf(request)).toBe('other-coin');
    await chain(`family = 'lake', evm_chain_id = null`);
    expect(await refusalOf(request)).toBe('other-coin');
    await chain(`family = 'utxo'`);
    await world.asSuperuser(`update causeway.chain_asset set contract = 'c' where chain_id = '${river.id}'`);
    expect(await refusalOf(request)).toBe('other-coin');
    await world.asSuperuser(`update causeway.chain_asset set contract = null where chain_id = '${river.id}'`);
    expect(await refusalOf(request)).toBe('signed');
  });
});

describe('the journal', () => {
  const entries = () => asked.journalEntries(world);
  const release = () => asked.releaseRestoreMode(world);
  const forget = (transferId: string) =>
    world.asSuperuser(
      `alter table causeway.signer_journal disable trigger append_only;
       delete from causeway.signer_journal where transfer_id = '${transferId}';
       alter table causeway.signer_journal enable trigger append_only;`,
    );

  test('knows after a restart what was spent, and gives the same bytes', async () => {
    const { request, inputs } = await authorised();
    const first = await signed(request);
    const second = await authorised(inputs);
    await world.stopSigner();
    await world.startSigner();
    expect(await signed(request)).toEqual(first);
    expect(await refusalOf(second.request)).toBe('input-taken');
  });

  test('is believed of what was authorised: a dearer attempt needs no seal that opens any more, another payment does', async () => {
    const { transferId, inputs, request } = await authorised();
    await signed(request);
    const another = await authorised();
    const { publicKey } = await newAuthorisationKeys();
    await world.stopSigner();
    await world.startSigner({ authorisation: publicKey });
    const dearer = spendRequest(company, transferId, inputs, [payment, { address: own(5), amountMinor: 17_000n }]);
    expect(await refusalOf(dearer)).toBe('signed');
    expect(await refusalOf(another.request)).toBe('forged');
    await world.stopSigner();
    await world.startSigner();
  });

  test('has entries that are not signed again once the chain has another coin', async () => {
    const { transferId, request } = await authorised();
    const first = await signed(request);
    const again = { kind: 'again', companyId: company.id, transferId, paymentId: transferId } as const;
    await world.stopSigner();
    await world.startSigner({ chains: [{ ...river, nativeCoin: 'LTC' }] });
    expect(await world.sign(again)).toMatchObject({ signed: false, refusal: 'other-coin' });
    await world.stopSigner();
    await world.startSigner();
    expect(await world.sign(again)).toEqual(first);
  });

  test('brings entries back that the database has lost, with hash and plan', async () => {
    const { transferId, request } = await authorised();
    const { hash } = await signed(request);
    const before = await rows(transferId);
    await forget(transferId);
    expect(await refusalOf(request)).toBe('restoring');
    expect(await rows(transferId)).toEqual([{ ...before[0], imported: true }]);
    expect(await world.compare()).toMatchObject({ agrees: true, isRestoring: true });
    await release();
    expect((await signed(request)).hash).toBe(hash);
  });

  test('is made good from the database, byte by byte', async () => {
    const { request, inputs } = await authorised();
    const first = await signed(request);
    const second = await authorised(inputs);
    const whole = entries();
    await world.stopSigner();
    rmSync(world.journalFile);
    expect(await world.rebuildJournal()).toMatchObject({ added: whole.length, entries: whole.length });
    expect(entries()).toEqual(whole);
    await world.startSigner();
    await release();
    expect(await world.compare()).toMatchObject({ agrees: true, isRestoring: false });
    expect(await signed(request)).toEqual(first);
    expect(await refusalOf(second.request)).toBe('input-taken');
  });
});
