import { type Hex, parseTransaction, recoverTransactionAddress } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import * as asked from '../../../testing/asked-signer.ts';
import { type ChainWorld, type Company, chainId, chainWorld, walletOf } from '../../../testing/chain-world.ts';
import { transferRequest } from '../../../testing/evm-requests.ts';

/** What the signer makes of sweeps in a database that an intruder may write, every right over it included. */

let world: ChainWorld;
let company: Company;
let other: Company;
let apart: `0x${string}`;
let othersApart: `0x${string}`;
beforeAll(async () => {
  world = await chainWorld();
  company = await world.company();
  other = await world.company();
  apart = await world.openApart(company);
  othersApart = await world.openApart(other);
});
afterAll(() => world.close());

const thief = '0x000000000000000000000000000000000000dEaD';

interface Written {
  from?: string;
  to?: string;
  type?: string;
  stage?: string;
}

/** Writes a sweep as an intruder may: any addresses at all. */
async function written({ from = apart, to = company.address, type = 'chain_sweep' }: Written): Promise<string> {
  const id = newId();
  await world.asSuperuser(`insert into causeway.transaction
      (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, payee_account, payer_account)
    values ('${company.id}', '${id}', '${type}', 'pending', 'signing', 'out', '${walletOf(company, 'USDT')}', '${chainId}', 'USDT',
      5000000, '${to}', '${from}')`);
  return id;
}

let nonces = 0;
const request = (id: string, kind: 'transfer' | 'gas' | 'empty' = 'transfer') => {
  nonces += 1;
  const made = transferRequest(company.id, id, nonces);
  if (kind === 'transfer') return made;
  const plan = { ...made.plan, gasLimit: 21_000n };
  if (kind === 'empty') return { ...made, kind, plan };
  return { ...made, kind, paymentId: newId(), plan: { ...plan, amountWei: 1000n } };
};
const refusalOf = (id: string, kind?: 'transfer' | 'gas' | 'empty') => asked.refusalOf(world.signer, request(id, kind));

describe('the signer signs', () => {
  test('a sweep from a further address to the account, with the key of that address', async () => {
    const { raw } = await asked.signed(world.signer, request(await written({})));
    const parsed = parseTransaction(raw as Hex);
    expect(parsed.to?.toLowerCase()).toBe(world.chain.treasury.contracts.USDT.toLowerCase());
    expect(parsed.data).toContain(company.address.slice(2).toLowerCase());
    expect(BigInt(`0x${parsed.data?.slice(-64)}`)).toBe(5_000_000n);
    expect(await recoverTransactionAddress({ serializedTransaction: raw as `0x02${string}` })).toBe(apart);
  });

  test('the same bytes by its journal alone', async () => {
    const id = await written({});
    const first = await asked.signed(world.signer, request(id));
    const again = { kind: 'again', companyId: company.id, transferId: id, paymentId: id } as const;
    expect(await asked.signed(world.signer, again)).toEqual(first);
  });

  test('an advance for its network fee, to the further address alone', async () => {
    const { raw } = await asked.signed(world.signer, request(await written({}), 'gas'));
    expect(parseTransaction(raw as Hex).to?.toLowerCase()).toBe(apart.toLowerCase());
  });
});

describe('the signer refuses a sweep', () => {
  test.each([
    ['to a stranger', { to: thief }],
    [
      'to another company',
      {
        get to() {
          return other.address;
        },
      },
    ],
    [
      'from another company’s further address',
      {
        get from() {
          return othersApart;
        },
      },
    ],
    [
      'to another company’s further address',
      {
        get to() {
          return othersApart;
        },
      },
    ],
    ['from an address of no one', { from: thief }],
  ])('%s', async (_name, forged) => {
    const id = await written(forged);
    expect(await refusalOf(id)).toBe('foreign-address');
    expect(await refusalOf(id, 'gas')).toBe('foreign-address');
  });

  test('from the account, or to a further address', async () => {
    expect(await refusalOf(await written({ from: company.address, to: company.address }))).toBe('forged');
    expect(await refusalOf(await written({ from: company.address, to: apart }))).toBe('forged');
    const second = await world.openApart(company);
    expect(await refusalOf(await written({ to: second }))).toBe('forged');
  });

  test('whose addresses the database moves from one company to another', async () => {
    const id = await written({ from: othersApart });
    await world.asSuperuser(
      `update causeway.chain_further_address set company_id = '${company.id}' where address = '${othersApart}'`,
    );
    expect(await refusalOf(id)).toBe('foreign-address');
    await world.asSuperuser(
      `update causeway.chain_further_address set company_id = '${other.id}' where address = '${othersApart}'`,
    );
  });

  test('an empty transaction in its place, and one out of a frozen wallet', async () => {
    const id = await written({});
    expect(await refusalOf(id, 'empty')).toBe('other-payment');
    const wallet = walletOf(company, 'USDT');
    await world.asSuperuser(`update causeway.wallet set frozen_at = now() where id = '${wallet}'`);
    expect(await refusalOf(id)).toBe('frozen');
    await world.asSuperuser(`update causeway.wallet set frozen_at = null where id = '${wallet}'`);
  });
});

test('a transfer of a member is never paid from a further address', async () => {
  const id = await written({ type: 'chain_withdraw', to: thief });
  expect(await refusalOf(id)).toBe('forged');
});
