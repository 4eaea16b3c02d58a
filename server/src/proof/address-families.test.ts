import { addCryptoPayee, checkAddress, getCryptoPayee } from '@causeway/contract/payees.ts';
import { addListEntry } from '@causeway/contract/risk-lists.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { getAddress, getAddressV2, listChains, listWallets } from '@causeway/contract/wallets.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AddressSources,
  type ChainListener,
  evmAddresses,
  evmFamily,
  familiesByName,
  findAccountAddress,
  isOwnAddress,
  ownersOf,
  sourcesByFamily,
  watchOnce,
} from '../features/chains/index.ts';
import { registerChains } from '../features/chains/registry.ts';
import { accountKey, assess } from '../features/risk/index.ts';
import {
  createOnReached,
  createWalletOpening,
  type WalletOpening,
  withFreshAddresses,
} from '../features/wallets/index.ts';
import { newId } from '../platform/ids.ts';
import { createLog } from '../platform/process/log.ts';
import { randomAddress } from '../testing/company.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { type MainApp, mainApp, type Tenant } from '../testing/main-app.ts';
import { present } from '../testing/present.ts';
import { riskSubject } from '../testing/risk.ts';
import { createUtxoChain, type UtxoChain } from '../testing/utxo/chain.ts';
import { utxoAddress, utxoAddresses, utxoAddressOf, utxoFamily } from '../testing/utxo/family.ts';
import { succeed, transferRequest } from '../testing/valid-requests.ts';

/**
 * Whose an address is, how it is read and where it comes from is the family's (docs/adr/0055): beside the EVM chain there is one of
 * unspent outputs, with several addresses a company, each for one deposit.
 */

const utxo = 'ledgerless';
const families = familiesByName([evmFamily, utxoFamily]);
const xpub =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';
const log = createLog('test', 'silent');
const chains = [
  {
    id: 'ethereum',
    family: 'evm',
    name: 'Ethereum',
    chainId: 31_337,
    confirmations: 6,
    blockTimeMs: 12_000,
    nativeCoin: 'ETH',
    explorerUrl: null,
    tokens: [
      { coin: 'USDT', contract: '0x1111111111111111111111111111111111111111' },
      { coin: 'USDC', contract: '0x2222222222222222222222222222222222222222' },
      { coin: 'HKDT', contract: '0x3333333333333333333333333333333333333333' },
    ],
  },
  {
    id: utxo,
    family: 'utxo',
    name: 'Ledgerless',
    confirmations: 3,
    blockTimeMs: 600_000,
    nativeCoin: 'BTC',
    explorerUrl: null,
  },
];

let db: TestDatabase;
let world: MainApp;
let sources: AddressSources;
let opening: WalletOpening;
let chain: UtxoChain;
let tenant: Tenant;
beforeAll(async () => {
  db = await testDatabase();
  await registerChains(db.superuserUrl, families, chains);
  sources = sourcesByFamily([
    evmAddresses({ xpub, gasTank: randomAddress(), treasury: randomAddress() }),
    utxoAddresses('world'),
  ]);
  opening = createWalletOpening(db.worker, sources);
  chain = createUtxoChain(utxo);
  world = await mainApp(db, undefined, { families });
});
beforeEach(async () => {
  tenant = await world.company();
  await opening.open(tenant.id);
});
afterAll(async () => {
  await world.close();
  await db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const addPayee = (address: string, where = { chain: utxo, coin: 'BTC' }) =>
  world.ask(addCryptoPayee, { as: tenant.admin, body: { label: 'Supplier', address, remark: '', ...where } });
const shown = async () => (await succeed(world, getAddress, { as: tenant.admin, query: { chain: utxo } })).data.address;

/** Deposits to addresses, in one block, read by the watcher as the worker has it. */
async function deposit(...addresses: string[]): Promise<void> {
  chain.fund(addresses.map((address) => ({ address, amountMinor: 1_000n })));
  chain.mine();
  const booking: ChainListener = { onBlocks: async () => {}, onRead: async () => {}, onHead: async () => {} };
  const listener = withFreshAddresses(booking, createOnReached({ database: db.worker, sources, chains }));
  await watchOnce({ database: db.worker, gateway: chain.gateway, listener, log, startBlock: 0 });
}

describe('a payee', () => {
  const address = utxoAddressOf('supplier');

  test('is read by the rules of its chain, and kept as the chain writes it', async () => {
    const { data } = await addPayee(address.toUpperCase());
    expect(data).toMatchObject({ address, chain: utxo, coin: 'BTC' });
    expect(await addPayee(address)).toMatchObject({ status: 409, key: 'payeeExists' });
  });

  test.each([
    ['a wrong checksum', address.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')), 'addressChecksum'],
    ['an address without a key', utxoAddress('q'.repeat(32)), 'addressReserved'],
    ['an EVM address', randomAddress(), 'addressInvalid'],
  ])('%s is refused', async (_, given, key) => {
    expect(await addPayee(given)).toMatchObject({ key });
    const query = { chain: utxo, address: given };
    expect(await world.ask(checkAddress, { as: tenant.admin, query })).toMatchObject({ key });
  });

  test('on an EVM chain, an address of the other family is refused', async () => {
    expect(await addPayee(address, { chain: 'ethereum', coin: 'USDT' })).toMatchObject({ key: 'addressInvalid' });
    expect((await addPayee(randomAddress(), { chain: 'ethereum', coin: 'USDT' })).status).toBe(200);
  });

  test('is compared with those that look like it, saved or dealt with, as its family compares them', async () => {
    const [saved, dealt, other] = lookAlikes(address);
    const { data } = await addPayee(saved);
    await dealWith(dealt);
    await dealWith(other);
    const added = await addPayee(address);
    const { lookAlikes: found } = (
      await succeed(world, getCryptoPayee, { as: tenant.admin, params: { id: added.data.id } })
    ).data;
    expect(found).toEqual([
      { address: saved, label: 'Supplier', payeeId: data.id },
      { address: dealt, label: 'Old supplier', payeeId: null },
    ]);
  });

  test('is none of the company’s own addresses, the ones that were used and the ones to come among them', async () => {
    const first = await shown();
    await deposit(first);
    for (const own of [first, await shown()]) expect(await addPayee(own)).toMatchObject({ key: 'addressOwn' });
  });

  test('that became an address of the company’s since is not paid', async () => {
    const index = await companyIndex();
    const later = present(sources.get('utxo')).addressAt(index, 25);
    const payeeId = (await addPayee(later)).data.id;
    const first = await shown();
    for (let ordinal = 0; ordinal < 8; ordinal += 1) await deposit(await shown());
    expect(await shown()).not.toBe(first);
    const content = {
      id: newId(),
      walletId: await walletOf('BTC'),
      payeeId,
      amount: '5',
      attachmentIds: [],
      notes: '',
    };
    const request = await transferRequest(world, tenant, content, tenant.admin);
    expect(await world.ask(transferOut, request)).toMatchObject({ key: 'addressOwn' });
  });
});

describe('the lists of risk', () => {
  const address = utxoAddressOf('thief');
  const add = (account: string) =>
    world.ask(addListEntry, { as: tenant.admin, body: { kind: 'black', payeeType: 'crypto_address', account } });

  test('read an address by the family in whose form it is written', async () => {
    const { data } = await add(` ${address.toUpperCase()} `);
    expect(data).toMatchObject({ account: address });
    expect(await add(address)).toMatchObject({ key: 'listEntryExists' });
    const wrong = address.replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'));
    expect(await add(wrong)).toMatchObject({ key: 'addressChecksum' });
    const evm = randomAddress();
    expect((await add(evm.toLowerCase())).data).toMatchObject({ account: evm });
    const { rows } = await db.app.withCompany(tenant.id, (tx) =>
      sql`select account_key as key from risk_list_entry where company_id = company_id() order by created_at`.execute(
        tx,
      ),
    );
    // EVM keys have always been kept in lower case.
    expect(rows).toEqual([{ key: address }, { key: evm.toLowerCase() }]);
    expect(await add('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh')).toMatchObject({ key: 'addressInvalid' });
  });

  test('stop a payment to a listed address, and make its payees unusable', async () => {
    const payee = (await addPayee(address)).data;
    await add(address.toUpperCase());
    const read = await succeed(world, getCryptoPayee, { as: tenant.admin, params: { id: payee.id } });
    expect(read.data.status).toBe('unusable');
    expect(await addPayee(address)).toMatchObject({ key: 'accountBlacklisted' });
    const key = accountKey(families, 'crypto_address', address);
    const subject = riskSubject({ account: address, accountKey: key, chainId: utxo, coin: 'BTC' });
    const verdict = await db.app.withCompany(tenant.id, (tx) => assess(tx, subject, 'submission'));
    expect(verdict).toMatchObject({ allowed: false, reason: 'blacklisted' });
  });
});

describe('a company’s addresses', () => {
  test('come with its wallets: one on the EVM chain, further ones where each deposit gets its own', async () => {
    const { items } = (await succeed(world, listWallets, { as: tenant.admin })).data;
    const on = (id: string) => items.filter(({ place }) => place.kind === 'chain' && place.chain === id);
    expect(on(utxo).map(({ asset }) => asset)).toEqual(['BTC']);
    expect(on('ethereum').map(({ asset }) => asset)).toEqual(['ETH', 'HKDT', 'USDC', 'USDT']);
    const { rows } = await db.worker.withCompany(tenant.id, (tx) =>
      sql<{ chain: string; count: number }>`select chain_id as chain, count(*) from chain_own_address
        where company_id = company_id() group by 1 order by 1`.execute(tx),
    );
    // The account's own, and 19 more: 20 wait for a deposit.
    expect(rows).toEqual([
      { chain: 'ethereum', count: 1 },
      { chain: utxo, count: 20 },
    ]);
    await opening.open(tenant.id);
    expect(await ownOn(utxo)).toHaveLength(20);
  });

  test('a deposit address is fresh after use, and the old one still belongs to the company', async () => {
    const first = await shown();
    expect(await shown()).toBe(first);
    await deposit(utxoAddressOf('a stranger'));
    expect(await shown()).toBe(first);

    await deposit(first);
    const second = await shown();
    expect(second).not.toBe(first);
    await deposit(first);
    expect(await shown()).toBe(second);
    await deposit(second);
    expect([first, second]).not.toContain(await shown());

    for (const address of [first, second]) {
      expect(await db.app.withCompany(tenant.id, (tx) => isOwnAddress(tx, utxo, address))).toBe(true);
    }
    const all = [first, second, await shown()];
    const owners = await db.worker.withoutCompany((tx) => ownersOf(tx, utxo, all));
    expect(owners.map(({ companyId }) => companyId)).toEqual([tenant.id, tenant.id, tenant.id]);
    // What pays for the company stays the account's own.
    expect(await db.app.withCompany(tenant.id, (tx) => findAccountAddress(tx, utxo))).toBe(first);
  });

  test('one shown before is watched and skipped when a later one is used first', async () => {
    const own = await ownOn(utxo);
    await deposit(present(own[3]));
    expect(await shown()).toBe(own[4]);
    expect(await ownOn(utxo)).toHaveLength(24);
    await deposit(present(own[1]));
    expect(await shown()).toBe(own[4]);
  });

  test('several in one block, of several companies', async () => {
    const other = await world.company();
    await opening.open(other.id);
    const [mine, theirs] = [await ownOn(utxo), await ownOn(utxo, other)];
    await deposit(present(mine[0]), present(theirs[0]), present(mine[1]));
    expect(await shown()).toBe(mine[2]);
    const { data } = await succeed(world, getAddress, { as: other.admin, query: { chain: utxo } });
    expect(data.address).toBe(theirs[1]);
  });

  test('on an EVM chain the one address stays, whatever arrives', async () => {
    const query = { chain: 'ethereum' };
    const before = (await succeed(world, getAddress, { as: tenant.admin, query })).data.address;
    expect(before).toBe(tenant.address);
    const evmBlock = { height: 1, hash: '0x1', parentHash: '0x0' };
    const arrival = { hash: '0x2', output: 'native', contract: null, from: null, to: tenant.address, amountMinor: 1n };
    const content = { block: evmBlock, transactionHashes: [], arrivals: [arrival], departures: [] };
    const booking: ChainListener = { onBlocks: async () => {}, onRead: async () => {}, onHead: async () => {} };
    const listener = withFreshAddresses(booking, createOnReached({ database: db.worker, sources, chains }));
    await listener.onBlocks({ chainId: 'ethereum', contents: [content], forkHeight: null });
    expect((await succeed(world, getAddress, { as: tenant.admin, query })).data.address).toBe(before);
    expect(await ownOn('ethereum')).toEqual([before]);
    const { rows } = await db.worker.withCompany(tenant.id, (tx) =>
      sql`select from chain_own_address where company_id = company_id() and first_used_at is not null`.execute(tx),
    );
    expect(rows).toEqual([]);
  });

  test('the request to pay is in the form of the family, with the fresh address', async () => {
    await deposit(await shown());
    const query = { chain: utxo, coin: 'BTC', amount: '0.015' };
    const { data } = await succeed(world, getAddressV2, { as: tenant.admin, query });
    const address = await shown();
    expect(data).toMatchObject({ address, uri: `utxo:${address}?amount=0.01500000` });
    const { items } = (await succeed(world, listWallets, { as: tenant.admin })).data;
    expect(items.find(({ asset }) => asset === 'BTC')?.place).toMatchObject({ address });
  });
});

describe('the registry', () => {
  test('names the family of each chain, and keeps its first fee', async () => {
    const { items } = (await succeed(world, listChains, { as: tenant.admin })).data;
    expect(items.map(({ id, family }) => [id, family])).toEqual([
      ['ethereum', 'evm'],
      [utxo, 'utxo'],
    ]);
    const { rows } = await db.app.withoutCompany((tx) =>
      sql`select c.evm_chain_id as "evmChainId", a.withdraw_fee as fee from chain c
        join chain_asset a on a.chain_id = c.id where c.id = ${utxo}`.execute(tx),
    );
    expect(rows).toEqual([{ evmChainId: null, fee: 20_000n }]);
  });

  test('refuses a native coin that is not counted as the family counts, and a family that no process serves', async () => {
    const [evm, other] = [present(chains[0]), present(chains[1])];
    await expect(registerChains(db.superuserUrl, families, [evm, { ...other, nativeCoin: 'ETH' }])).rejects.toThrow(
      /ETH cannot be the native coin of ledgerless, since it does not have 8 decimals/,
    );
    await expect(registerChains(db.superuserUrl, familiesByName([evmFamily]), chains)).rejects.toThrow(
      /utxo is a family of chains that this process serves/,
    );
  });

  test.each([
    ['an EVM chain without its number', { ...chains[0], id: 'numberless', chainId: undefined }],
    ['another chain with one', { ...chains[1], id: 'numbered', chainId: 7 }],
  ])('the database refuses %s', async (_, wrong) => {
    const given = [...chains, wrong as (typeof chains)[number]];
    await expect(registerChains(db.superuserUrl, families, given)).rejects.toThrow(/violates check constraint/);
  });
});

/** The company's addresses on a chain, in the order in which they are shown. */
async function ownOn(chainId: string, of: Tenant = tenant): Promise<string[]> {
  const { rows } = await db.worker.withCompany(of.id, (tx) =>
    sql<{ address: string }>`select address from chain_own_address
      where company_id = company_id() and chain_id = ${chainId} order by ordinal`.execute(tx),
  );
  return rows.map(({ address }) => address);
}

async function companyIndex(): Promise<number> {
  const { rows } = await db.worker.withCompany(tenant.id, (tx) =>
    sql<{ index: number }>`select derivation_index as index from chain_address
      where company_id = company_id() and chain_id = ${utxo}`.execute(tx),
  );
  return present(rows[0]).index;
}

async function walletOf(coin: string): Promise<string> {
  const { items } = (await succeed(world, listWallets, { as: tenant.admin })).data;
  return present(items.find(({ asset }) => asset === coin)).id;
}

/** Two addresses with the same ends as one, and a third with the same end alone. */
function lookAlikes(address: string): [string, string, string] {
  const [head, tail] = [address.slice(3, 7), address.slice(-4)];
  const made = (start: string, letter: string) => utxoAddress(start + letter.repeat(24) + tail);
  return [made(head, 'p'), made(head, 'z'), made('ffff', 'r')];
}

/** A deposit from an address, as it is kept. */
async function dealWith(address: string): Promise<void> {
  const id = newId();
  const wallet = await walletOf('BTC');
  await db.worker.withCompany(tenant.id, (tx) =>
    sql`insert into transaction (company_id, id, type, status, stage, direction, wallet_id, chain_id, coin, quantity, fee,
        payer_name, payer_account, notes, created_at, completed_at)
      values (company_id(), ${id}, 'chain_deposit', 'completed', 'credited', 'in', ${wallet}, ${utxo}, 'BTC', 5000, 0,
        'Old supplier', ${address}, '', now(), now())`.execute(tx),
  );
}
