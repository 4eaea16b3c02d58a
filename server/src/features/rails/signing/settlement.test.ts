import { type Hex, parseTransaction, recoverTransactionAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthorisationKeys } from '../../../platform/crypto/new-keys.ts';
import { createSeal } from '../../../platform/crypto/seal.ts';
import { newId } from '../../../platform/ids.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { type ExchangeOptions, executedExchange } from '../../../testing/chain-exchanges.ts';
import { fundedCompany } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainId, chainWorld, walletOf } from '../../../testing/chain-world.ts';
import { transferRequest } from '../../../testing/evm-requests.ts';

/** What the signer makes of settlements in a database that an intruder may write, every right over it included. */

let world: ChainWorld;
let company: Company;
let other: Company;
beforeAll(async () => {
  world = await chainWorld();
  company = await fundedCompany(world, '100000');
  other = await fundedCompany(world, '100000');
  // What keeps a leg from being settled twice must not be the database alone.
  await world.asSuperuser('alter table causeway.settlement_leg drop constraint settlement_leg_pkey');
});
afterAll(() => world.close());

const thief = '0x000000000000000000000000000000000000dEaD';
const soldMinor = 100_000_000n;
const boughtMinor = 99_000_000n;

let nonces = 100;
const request = (id: string, of: Company = company, kind: 'transfer' | 'gas' = 'transfer') => {
  nonces += 1;
  const { plan, ...rest } = transferRequest(of.id, id, nonces);
  return kind === 'transfer'
    ? { ...rest, plan }
    : { ...rest, kind, paymentId: newId(), plan: { ...plan, gasLimit: 21_000n, amountWei: 1000n } };
};
const refusalOf = (id: string, of?: Company) => asked.refusalOf(world.signer, request(id, of));

interface Leg {
  exchangeId: string;
  side: 'sold' | 'bought';
}

interface Written {
  direction: 'in' | 'out';
  amountMinor: bigint;
  legs: readonly Leg[];
  id?: string;
  of?: Company;
  coin?: string;
  /** The settlement's own wallet, coin and amount, where they are not those of its transaction. */
  settlement?: { coin?: string; amountMinor?: bigint; direction?: string; chain?: string };
  payee?: string;
  payer?: string;
}

/** Writes a settlement and its payment as an intruder may: any values at all. */
async function written({ direction, amountMinor, legs, of = company, ...more }: Written): Promise<string> {
  const { id = newId(), coin = direction === 'in' ? 'USDC' : 'USDT', settlement = {} } = more;
  const own = direction === 'in' ? of.address : world.treasury;
  const wallet = walletOf(of, coin);
  const stated = { coin, amountMinor, direction, chain: chainId, ...settlement };
  await world.asSuperuser(`set session_replication_role = replica;
    insert into causeway.settlement (company_id, id, wallet_id, chain_id, coin, direction, amount, cause)
    values ('${of.id}', '${id}', '${walletOf(of, stated.coin)}', '${stated.chain}', '${stated.coin}', '${stated.direction}',
      ${stated.amountMinor}, 'nightly');
    set session_replication_role = origin;
    insert into causeway.transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, payee_account, payer_account)
    values ('${of.id}', '${id}', 'fx_settlement_${direction}', 'pending', 'signing', '${direction}', '${wallet}', '${chainId}', '${coin}',
      ${amountMinor}, '${more.payee ?? own}', '${more.payer ?? 'x'}')`);
  for (const { exchangeId, side } of legs) {
    await world.asSuperuser(`set session_replication_role = replica;
      insert into causeway.settlement_leg (company_id, exchange_id, side, settlement_id, amount)
      values ('${of.id}', '${exchangeId}', '${side}', '${id}', 1)`);
  }
  return id;
}

const exchanged = (changed: Partial<ExchangeOptions> = {}, of: Company = company) =>
  executedExchange(world, of, { sell: 'USDT', soldMinor, buy: 'USDC', boughtMinor, ...changed });
const bought = (exchangeId: string): Leg => ({ exchangeId, side: 'bought' });
const sold = (exchangeId: string): Leg => ({ exchangeId, side: 'sold' });
const inOf = (exchangeId: string): Written => ({
  direction: 'in',
  amountMinor: boughtMinor,
  legs: [bought(exchangeId)],
});

async function signed(id: string, kind: 'transfer' | 'gas' = 'transfer') {
  const { raw } = await asked.signed(world.signer, request(id, company, kind));
  const sender = await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` });
  return { ...parseTransaction(raw as Hex), sender };
}

describe('the signer signs', () => {
  test('from the treasury to the company’s own address, what was bought, to the last unit', async () => {
    const id = await written(inOf(await exchanged()));
    const payment = await signed(id);
    expect(payment.sender).toBe(world.treasury);
    expect(payment.to?.toLowerCase()).toBe(world.chain.treasury.contracts.USDC.toLowerCase());
    expect(payment.data).toContain(company.address.slice(2).toLowerCase());
    expect(BigInt(`0x${payment.data?.slice(-64)}`)).toBe(boughtMinor);
  });

  test('from the company’s address to the treasury, what was sold less what was bought', async () => {
    const [one, back] = [
      await exchanged(),
      await exchanged({ sell: 'USDC', soldMinor: 40_000_000n, buy: 'USDT', boughtMinor: 39_000_000n }),
    ];
    const id = await written({ direction: 'out', amountMinor: 61_000_000n, legs: [sold(one), bought(back)] });
    const payment = await signed(id);
    expect(payment.sender).toBe(company.address);
    expect(payment.data).toContain(world.treasury.slice(2).toLowerCase());
    expect(BigInt(`0x${payment.data?.slice(-64)}`)).toBe(61_000_000n);
  });

  test('an advance of the network fee to the address that pays', async () => {
    const exchangeId = await exchanged();
    const fromTreasury = await signed(await written(inOf(exchangeId)), 'gas');
    expect(fromTreasury.to?.toLowerCase()).toBe(world.treasury.toLowerCase());
    const out = await written({ direction: 'out', amountMinor: soldMinor, legs: [sold(exchangeId)] });
    expect((await signed(out, 'gas')).to?.toLowerCase()).toBe(company.address.toLowerCase());
  });

  test('what it signed before, though an intruder has taken the legs away', async () => {
    const id = await written(inOf(await exchanged()));
    const first = request(id);
    const { hash } = await asked.signed(world.signer, first);
    await world.asSuperuser(
      `set session_replication_role = replica; delete from causeway.settlement_leg where settlement_id = '${id}'`,
    );
    expect((await asked.signed(world.signer, first)).hash).toBe(hash);
  });
});

describe('the signer refuses', () => {
  const forged = async (settlement: Written) =>
    expect(await refusalOf(await written(settlement), settlement.of)).toBe('forged');

  test('a leg twice in one settlement', async () => {
    const id = await exchanged();
    await forged({ direction: 'in', amountMinor: 2n * boughtMinor, legs: [bought(id), bought(id)] });
  });

  test('a leg that another settlement has paid, for ever', async () => {
    const [one, two] = [await exchanged(), await exchanged()];
    const first = await written(inOf(one));
    expect(await refusalOf(first)).toBe('signed');
    await world.asSuperuser(`set session_replication_role = replica;
      delete from causeway.settlement_leg where settlement_id = '${first}'; delete from causeway.settlement where id = '${first}'`);
    expect(await refusalOf(await written(inOf(one)))).toBe('nonce-taken');
    const both = await written({ direction: 'in', amountMinor: 2n * boughtMinor, legs: [bought(two), bought(one)] });
    expect(await refusalOf(both)).toBe('nonce-taken');
    // The other side of the exchange, and the other exchange, are still to be settled.
    expect(await refusalOf(await written({ direction: 'out', amountMinor: soldMinor, legs: [sold(one)] }))).toBe(
      'signed',
    );
    expect(await refusalOf(await written(inOf(two)))).toBe('signed');
  });

  test('an exchange of another company, with its seal', async () => {
    const foreign = await exchanged({}, other);
    await world.asSuperuser(`set session_replication_role = replica;
      insert into causeway.exchange_seal select '${company.id}', exchange_id, jws, created_at from causeway.exchange_seal
        where exchange_id = '${foreign}'`);
    await forged(inOf(foreign));
    await forged({ ...inOf(foreign), of: other, payee: company.address });
  });

  test('an exchange with the seal of another', async () => {
    const [one, two] = [await exchanged(), await exchanged({ without: 'seal' })];
    await world.asSuperuser(`insert into causeway.exchange_seal select company_id, '${two}', jws, created_at from causeway.exchange_seal
      where exchange_id = '${one}'`);
    await forged(inOf(two));
  });

  test.each([1n, -1n])('an amount that differs by %d from the net', async (by) => {
    await forged({ ...inOf(await exchanged()), amountMinor: boughtMinor + by });
    await forged({ ...inOf(await exchanged()), settlement: { amountMinor: boughtMinor + by } });
  });

  test('the other direction', async () => {
    const id = await exchanged();
    await forged({ direction: 'out', coin: 'USDC', amountMinor: boughtMinor, legs: [bought(id)] });
    await forged({ direction: 'in', coin: 'USDT', amountMinor: soldMinor, legs: [sold(id)] });
    await forged({ ...inOf(id), settlement: { direction: 'out' } });
  });

  test('another wallet, coin or chain than the exchange’s', async () => {
    const id = await exchanged();
    await forged({ ...inOf(id), coin: 'HKDT' });
    await forged({ ...inOf(id), settlement: { coin: 'HKDT' } });
    await forged({ ...inOf(id), coin: 'HKDT', settlement: { coin: 'USDC' } });
    await forged({ ...inOf(id), settlement: { chain: 'elsewhere' } });
    await forged({ direction: 'in', coin: 'USDC', amountMinor: soldMinor, legs: [sold(id)] });
  });

  test('an address that its seed does not give', async () => {
    const id = await exchanged();
    await forged({ ...inOf(id), payee: thief });
    await forged({ ...inOf(id), payee: other.address });
    await forged({ ...inOf(id), payee: world.treasury });
    await forged({ direction: 'out', amountMinor: soldMinor, legs: [sold(id)], payee: thief });
    await forged({ direction: 'out', amountMinor: soldMinor, legs: [sold(id)], payee: world.gasTank });
    await world.asSuperuser(`update causeway.chain_address set address = '${thief}' where company_id = '${other.id}'`);
    const foreign = await exchanged({}, other);
    expect(await refusalOf(await written({ ...inOf(foreign), of: other, payee: thief }), other)).toBe(
      'foreign-address',
    );
    await world.asSuperuser(
      `update causeway.chain_address set address = '${other.address}' where company_id = '${other.id}'`,
    );
  });

  test('an exchange without a seal, or with one of another key', async () => {
    await forged(inOf(await exchanged({ without: 'seal' })));
    const { privateKey } = await newAuthorisationKeys();
    await forged(inOf(await exchanged({ seal: createSeal(JSON.parse(privateKey)) })));
  });

  test('a seal over other content than what was executed and posted', async () => {
    const more = (boughtMinor + 1n).toString();
    const id = await exchanged({ claims: { bought: more } });
    await forged({ ...inOf(id), amountMinor: boughtMinor + 1n });
    await forged(inOf(id));
    await world.asSuperuser(`set session_replication_role = replica;
      update causeway.exchange set executed_bought = ${more} where transaction_id = '${id}'`);
    await forged({ ...inOf(id), amountMinor: boughtMinor + 1n });
    await forged(inOf(await exchanged({ claims: { sellWalletId: walletOf(company, 'HKDT') } })));
  });

  test('an exchange that was not executed', async () => forged(inOf(await exchanged({ without: 'execution' }))));

  test('an exchange that was not posted, or whose posting was taken back', async () => {
    await forged(inOf(await exchanged({ without: 'posting' })));
    const id = await exchanged();
    await world.asSuperuser(`set session_replication_role = replica;
      update causeway.ledger_entry set amount = amount + 1 where posting_id in (
        select id from causeway.ledger_posting where source_id = '${id}') and amount = ${soldMinor}`);
    await forged(inOf(id));
  });

  test('a payment without a settlement, without legs, or under another id', async () => {
    await forged({ direction: 'in', amountMinor: boughtMinor, legs: [] });
    const id = await written(inOf(await exchanged()));
    expect(await asked.refusalOf(world.signer, { ...request(id), paymentId: newId() })).toBe('other-payment');
    await world.asSuperuser(
      `set session_replication_role = replica; delete from causeway.settlement where id = '${id}'`,
    );
    expect(await refusalOf(id)).toBe('forged');
    expect(await asked.refusalOf(world.signer, request(id, company, 'gas'))).toBe('forged');
  });

  test('while the wallet is frozen, or once it has ended', async () => {
    const id = await written(inOf(await exchanged()));
    const wallet = walletOf(company, 'USDC');
    await world.asSuperuser(`update causeway.wallet set frozen_at = now() where id = '${wallet}'`);
    expect(await refusalOf(id)).toBe('frozen');
    await world.asSuperuser(`update causeway.wallet set frozen_at = null where id = '${wallet}'`);
    await world.asSuperuser(`insert into causeway.transaction_stage (company_id, transaction_id, id, stage)
      values ('${company.id}', '${id}', '${newId()}', 'refused')`);
    expect(await refusalOf(id)).toBe('ended');
  });
});
