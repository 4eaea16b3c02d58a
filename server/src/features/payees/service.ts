import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type {
  AddressCode,
  addCryptoPayee,
  CryptoPayee,
  checkAddress,
  getCryptoPayee,
  listCryptoPayees,
} from '@causeway/contract/payees.ts';
import { audit } from '../../platform/audit.ts';
import { type Database, databaseError, type Tx } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { announce, live } from '../../platform/outbox.ts';
import { maxExactTotal, pageOf, sizeOf, timeCursor, totalOf } from '../../platform/page.ts';
import { actorOf, type SignedInContext } from '../../platform/session.ts';
import { refusal } from '../ledger/index.ts';
import { likenessOf, readEvmAddress } from './domain.ts';
import {
  countPayees,
  findAlike,
  findPayee,
  findPayeesByAddress,
  insertPayee,
  listPayees,
  markDeleted,
  type PayeeRow,
  setCode,
} from './store.ts';

/** What the payee book asks of the features to its right; composed in compose.ts. */
export interface PayeesPorts {
  findChains(tx: Tx): Promise<PayeeChain[]>;
  /** The company's own address on a chain; null before its wallets are open. */
  findOwnAddress(tx: Tx, chainId: string): Promise<string | null>;
  /** Transfers to a payee: how many, and when the last was. */
  countTransfersTo(tx: Tx, payeeId: string): Promise<{ count: number; lastAt: Date | null }>;
  /** Addresses that the company has dealt with on a chain, with these first and last four hex characters. */
  findDealtWith(tx: Tx, chainId: string, likeness: string): Promise<{ address: string; name: string | null }[]>;
  /** Whether an address is on the company's black list. */
  isBlacklisted(tx: Tx, accountKind: 'crypto_address', address: string): Promise<boolean>;
  /** What is at an address; waits for a node for a moment only, and with no transaction open. */
  readCode(chainId: string, address: string): Promise<AddressCode>;
}

interface PayeeChain {
  id: string;
  name: string;
  enabled: boolean;
  coins: { coin: string; enabled: boolean; contract: string | null }[];
}

type LookAlike = OutputInput<typeof checkAddress>['lookAlikes'][number];

export type PayeesService = ReturnType<typeof createPayeesService>;

export function createPayeesService({ database, ports }: { database: Database; ports: PayeesPorts }) {
  return {
    /** @throws DomainError cursorInvalid */
    list: (companyId: string, query: Query<typeof listCryptoPayees>) =>
      database.withCompany(companyId, (tx) => list(tx, ports, query)),

    /** @throws DomainError payeeNotFound */
    async get(companyId: string, id: string) {
      const payee = await database.withCompany(companyId, (tx) => get(tx, ports, id));
      const code = await ports.readCode(payee.chain, payee.address);
      if (code === 'unknown' || code === payee.code) return payee;
      // It has been used since: a contract may have been made there, or no node answered before.
      await database.withCompany(companyId, (tx) => setCode(tx, id, code));
      return { ...payee, code };
    },

    /**
     * @throws DomainError accountBlacklisted, chainUnknown, coinNotOnChain, addressInvalid, addressChecksum, addressOwn,
     * addressReserved, addressIsToken, payeeExists, idTaken
     */
    async add(context: SignedInContext, body: Body<typeof addCryptoPayee>) {
      const code = await ports.readCode(body.chain, readEvmAddress(body.address));
      return database.withCompany(context.session.companyId, (tx) => add(tx, ports, context, body, code));
    },

    /** @throws DomainError payeeNotFound */
    remove: (context: SignedInContext, id: string) =>
      database.withCompany(context.session.companyId, (tx) => remove(tx, context, id)),

    /** @throws DomainError chainUnknown, addressInvalid, addressChecksum, addressOwn, addressReserved, addressIsToken */
    async check(companyId: string, query: Query<typeof checkAddress>) {
      const checked = await database.withCompany(companyId, (tx) => check(tx, ports, query));
      return { ...checked, code: await ports.readCode(query.chain, checked.address) };
    },
  };
}

async function list(
  tx: Tx,
  ports: PayeesPorts,
  query: Query<typeof listCryptoPayees>,
): Promise<OutputInput<typeof listCryptoPayees>> {
  const chains = await ports.findChains(tx);
  const filter = {
    chainId: query.chain ?? null,
    coin: query.coin ?? null,
    keyword: query.keyword?.trim() || null,
    usable: query.status === undefined ? null : query.status === 'usable',
    usableOn: chains.flatMap((chain) =>
      chain.coins.filter((coin) => chain.enabled && coin.enabled).map(({ coin }) => `${chain.id} ${coin}`),
    ),
  };
  const after = timeCursor(query.cursor);
  const size = sizeOf(query.size);
  const rows = await listPayees(tx, filter, after && { createdAtText: after.time, id: after.id }, size + 1);
  const { items, next } = pageOf(rows, size, (row) => [row.createdAtText, row.id]);
  const total = totalOf(await countPayees(tx, filter, maxExactTotal + 1));
  return { items: items.map((row) => asPayee(row, chains)), ...total, next };
}

async function get(tx: Tx, ports: PayeesPorts, id: string): Promise<OutputInput<typeof getCryptoPayee>> {
  const row = await findPayee(tx, id);
  if (!row) throw new DomainError('payeeNotFound');
  const transfers = await ports.countTransfersTo(tx, id);
  return {
    ...asPayee(row, await ports.findChains(tx)),
    lookAlikes: await lookAlikesOf(tx, ports, row.chainId, row.address),
    transferCount: transfers.count,
    lastTransferAt: transfers.lastAt?.toISOString() ?? null,
  };
}

async function add(
  tx: Tx,
  ports: PayeesPorts,
  context: SignedInContext,
  body: Body<typeof addCryptoPayee>,
  code: AddressCode,
): Promise<CryptoPayee> {
  const chains = await ports.findChains(tx);
  const chain = usableChain(chains, body.chain);
  if (!chain.coins.some(({ coin, enabled }) => coin === body.coin && enabled)) {
    throw refusal('coinNotOnChain', {}, 'coin');
  }
  const address = await readPayable(tx, ports, chain, body.address);
  if (await ports.isBlacklisted(tx, 'crypto_address', address)) throw refusal('accountBlacklisted', {}, 'address');
  const { session } = context;
  const id = body.id ?? newId();
  try {
    await insertPayee(tx, {
      id,
      label: body.label,
      chainId: chain.id,
      coin: body.coin,
      address,
      likeness: likenessOf(address),
      code,
      remark: body.remark ?? '',
      createdBy: session.userId,
      createdByName: session.userName,
    });
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === 'crypto_payee_address') throw refusal('payeeExists', {}, 'address');
    if (constraint === 'crypto_payee_pkey') throw new DomainError('idTaken');
    throw error;
  }
  await audit(tx, {
    actor: actorOf(context),
    action: 'payees.add',
    subjectKind: 'payee',
    subjectId: id,
    detail: { label: body.label, chain: chain.id, coin: body.coin, address },
  });
  await announce(tx, [live('payee', id)]);
  const row = await findPayee(tx, id);
  if (!row) throw new DomainError('payeeNotFound');
  return asPayee(row, chains);
}

async function remove(tx: Tx, context: SignedInContext, id: string): Promise<null> {
  const row = await markDeleted(tx, id);
  if (!row) throw new DomainError('payeeNotFound');
  await audit(tx, {
    actor: actorOf(context),
    action: 'payees.delete',
    subjectKind: 'payee',
    subjectId: id,
    detail: { label: row.label, chain: row.chainId, coin: row.coin, address: row.address },
  });
  await announce(tx, [live('payee', id)]);
  return null;
}

async function check(
  tx: Tx,
  ports: PayeesPorts,
  query: Query<typeof checkAddress>,
): Promise<Omit<OutputInput<typeof checkAddress>, 'code'>> {
  const chain = usableChain(await ports.findChains(tx), query.chain);
  const address = await readPayable(tx, ports, chain, query.address);
  const [known] = await findPayeesByAddress(tx, chain.id, address);
  return {
    address,
    knownAs: known && known.status !== 'deleted' ? known.label : null,
    lookAlikes: await lookAlikesOf(tx, ports, chain.id, address),
  };
}

/**
 * Reads an address that coins are to be sent to: neither the company's own, nor one that keeps whatever it is sent.
 * @throws DomainError addressInvalid, addressChecksum, addressReserved, addressOwn, addressIsToken on the field `address`
 */
async function readPayable(tx: Tx, ports: PayeesPorts, chain: PayeeChain, text: string): Promise<string> {
  const address = readEvmAddress(text);
  if ((await ports.findOwnAddress(tx, chain.id)) === address) throw refusal('addressOwn', {}, 'address');
  if (chain.coins.some(({ contract }) => contract?.toLowerCase() === address.toLowerCase())) {
    throw refusal('addressIsToken', {}, 'address');
  }
  return address;
}

/** Addresses of this company, saved or dealt with, that have the same ends and another middle. */
export async function lookAlikesOf(
  tx: Tx,
  ports: Pick<PayeesPorts, 'findDealtWith'>,
  chainId: string,
  address: string,
): Promise<LookAlike[]> {
  const likeness = likenessOf(address);
  const found = new Map<string, LookAlike>();
  const keep = (alike: LookAlike) => {
    const key = alike.address.toLowerCase();
    if (key !== address.toLowerCase() && !found.has(key)) found.set(key, alike);
  };
  for (const row of await findAlike(tx, chainId, address, likeness)) {
    keep({ address: row.address, label: row.label, payeeId: row.status === 'deleted' ? null : row.id });
  }
  for (const { address: dealt, name } of await ports.findDealtWith(tx, chainId, likeness)) {
    keep({ address: dealt, label: name ?? '', payeeId: null });
  }
  return [...found.values()];
}

function usableChain(chains: readonly PayeeChain[], id: string): PayeeChain {
  const chain = chains.find((each) => each.id === id && each.enabled);
  if (!chain) throw refusal('chainUnknown', {}, 'chain');
  return chain;
}

/** A payee is unusable while its chain or coin is switched off (decisions, "Payees"). */
function asPayee(row: PayeeRow, chains: readonly PayeeChain[]): CryptoPayee {
  const chain = chains.find((each) => each.id === row.chainId);
  const on = chain?.enabled && chain.coins.some(({ coin, enabled }) => coin === row.coin && enabled);
  return {
    id: row.id,
    label: row.label,
    chain: row.chainId,
    chainName: chain?.name ?? row.chainId,
    coin: row.coin,
    address: row.address,
    remark: row.remark,
    code: row.code,
    status: row.status === 'usable' && !on ? 'unusable' : row.status,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdByName,
  };
}
