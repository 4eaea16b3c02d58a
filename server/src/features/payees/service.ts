import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type {
  AddressCode,
  addCryptoPayee,
  CryptoPayee,
  checkAddress,
  editCryptoPayee,
  getCryptoPayee,
  listCryptoPayees,
} from '@causeway/contract/payees.ts';
import { audit } from '../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../platform/database/database.ts';
import { readPage } from '../../platform/database/list.ts';
import { announce, live } from '../../platform/database/outbox.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { newId } from '../../platform/ids.ts';
import { actorOf, type OpenContext, type SignedInContext } from '../../platform/session.ts';
import { type ChainFamilies, type ChainFamily, familyOf } from '../chains/index.ts';
import { refusal } from '../ledger/index.ts';
import { findCompanySettings, lockOrganisation } from '../organisation/index.ts';
import { type PayeeApproval, type PayeeApprovalPort, takeOut } from './approval.ts';
import type { BankPayeeApprovalPort } from './bank/approval.ts';
import { payeeAdded } from './events.ts';
import {
  findAlike,
  findPayee,
  findPayeesByAddress,
  insertPayee,
  type PayeeRow,
  payeeList,
  setCode,
  setWords,
} from './store.ts';

/** What the payee book asks of the features to its right; composed in compose.ts. */
export interface PayeesPorts {
  findChains(tx: Tx): Promise<PayeeChain[]>;
  families: ChainFamilies;
  /** Whether an address on a chain is one of the company's. */
  isOwnAddress(tx: Tx, chainId: string, address: string): Promise<boolean>;
  /** Transfers to a payee: how many, and when the last was. */
  countTransfersTo(tx: Tx, payeeId: string): Promise<{ count: number; lastAt: Date | null }>;
  /** Addresses that the company has dealt with on a chain and that end as this one; the family says which look like it. */
  findDealtWith(tx: Tx, chainId: string, address: string): Promise<{ address: string; name: string | null }[]>;
  /** Whether an address or bank account is on the company's black list. */
  isBlacklisted(tx: Tx, accountKind: 'crypto_address' | 'bank_no', account: string): Promise<boolean>;
  /** Asks a second person for approval, where new payees need it. */
  approval: PayeeApprovalPort;
  /** The same for accounts at banks. */
  bankApproval: BankPayeeApprovalPort;
  /** What is at an address; waits for a node for a moment only, and with no transaction open. */
  readCode(chainId: string, address: string): Promise<AddressCode>;
}

interface PayeeChain {
  id: string;
  name: string;
  /** Names its `ChainFamily`. */
  family: string;
  enabled: boolean;
  coins: { coin: string; enabled: boolean; contract: string | null }[];
}

/** What finding look-alikes asks. */
export type LookAlikePorts = Pick<PayeesPorts, 'findDealtWith'>;

type LookAlike = OutputInput<typeof checkAddress>['lookAlikes'][number];

type PayeesContext = SignedInContext & PayeesPorts;

/** @throws DomainError cursorInvalid */
export async function list(
  tx: Tx,
  ports: PayeesContext,
  query: Query<typeof listCryptoPayees>,
): Promise<OutputInput<typeof listCryptoPayees>> {
  const chains = await ports.findChains(tx);
  const usableOn = chains.flatMap((chain) =>
    chain.coins.filter((coin) => chain.enabled && coin.enabled).map(({ coin }) => `${chain.id} ${coin}`),
  );
  const page = await readPage(tx, payeeList, query, { usableOn });
  const approvals = await approvalsOf(tx, ports, page.items);
  return { ...page, items: page.items.map((row) => asPayee(row, chains, approvals)) };
}

/**
 * A payee, with what its chain says of the address now.
 * @throws DomainError payeeNotFound
 */
export async function get(
  context: OpenContext & PayeesPorts,
  { id }: { id: string },
): Promise<OutputInput<typeof getCryptoPayee>> {
  const { database, session } = context;
  const payee = await database.withCompany(session.companyId, (tx) => describe(tx, context, id), { readOnly: true });
  const code = await context.readCode(payee.chain, payee.address);
  if (code === 'unknown' || code === payee.code) return payee;
  // It has been used since: a contract may have been made there, or no node answered before.
  await database.withCompany(session.companyId, (tx) => setCode(tx, id, code));
  return { ...payee, code };
}

async function describe(tx: Tx, ports: PayeesContext, id: string): Promise<OutputInput<typeof getCryptoPayee>> {
  const row = await findPayee(tx, id);
  if (!row) throw new DomainError('payeeNotFound');
  const transfers = await ports.countTransfersTo(tx, id);
  const chains = await ports.findChains(tx);
  const chain = chains.find((each) => each.id === row.chainId);
  return {
    ...asPayee(row, chains, await approvalsOf(tx, ports, [row])),
    lookAlikes: chain ? await lookAlikesOf(tx, ports, familyOf(ports.families, chain), row) : [],
    transferCount: transfers.count,
    lastTransferAt: transfers.lastAt?.toISOString() ?? null,
  };
}

/**
 * Saves an address, after a node was asked what is there; it waits for approval where new payees need it.
 * @throws DomainError accountBlacklisted, chainUnknown, coinNotOnChain, addressInvalid, addressChecksum, addressOwn,
 * addressReserved, addressIsToken, payeeExists, payeeNobodyApproves, idTaken
 */
export async function add(context: OpenContext & PayeesPorts, body: Body<typeof addCryptoPayee>): Promise<CryptoPayee> {
  const { database, session } = context;
  const read = (tx: Tx) => readAddress(tx, context, body.chain, body.address);
  const address = await database.withCompany(session.companyId, read, { readOnly: true });
  const code = await context.readCode(body.chain, address);
  return database.withCompany(session.companyId, (tx) => save(tx, context, body, code));
}

async function save(
  tx: Tx,
  context: PayeesContext,
  body: Body<typeof addCryptoPayee>,
  code: AddressCode,
): Promise<CryptoPayee> {
  // The setting, and who could approve, stay as they are until this is written.
  await lockOrganisation(tx);
  const { approveNewPayees } = await findCompanySettings(tx);
  const chains = await context.findChains(tx);
  const chain = usableChain(chains, body.chain);
  const family = familyOf(context.families, chain);
  if (!chain.coins.some(({ coin, enabled }) => coin === body.coin && enabled)) {
    throw refusal('coinNotOnChain', {}, 'coin');
  }
  const address = await readPayable(tx, context, chain, body.address);
  if (await context.isBlacklisted(tx, 'crypto_address', address)) throw refusal('accountBlacklisted', {}, 'address');
  const { session } = context;
  const id = body.id ?? newId();
  try {
    await insertPayee(tx, {
      id,
      label: body.label,
      chainId: chain.id,
      coin: body.coin,
      address,
      likeness: family.likeness(address),
      code,
      remark: body.remark ?? '',
      approval: approveNewPayees ? 'waiting' : 'none',
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
    detail: { label: body.label, chain: chain.id, coin: body.coin, address, needsApproval: approveNewPayees },
  });
  await announce(tx, [
    live('payee', id),
    payeeAdded(context, { id, label: body.label, chain: chain.name, coin: body.coin, address }),
  ]);
  const row = await findPayee(tx, id);
  if (!row) throw new DomainError('payeeNotFound');
  if (approveNewPayees) await context.approval.ask(tx, context, { ...row, chainName: chain.name });
  return asPayee(row, chains, await approvalsOf(tx, context, [row]));
}

/**
 * Changes label and remark. The address stays: another one is another payee, with checks of its own. While it waits for approval it
 * stays as its approvers see it.
 * @throws DomainError payeeNotFound, payeeNotEditable
 */
export async function edit(
  tx: Tx,
  context: PayeesContext,
  { id, label, remark }: Body<typeof editCryptoPayee>,
): Promise<CryptoPayee> {
  const before = await setWords(tx, { id, label, remark });
  const row = await findPayee(tx, id);
  if (!before || !row) throw new DomainError('payeeNotFound');
  if (row.status === 'waiting') throw new DomainError('payeeNotEditable');
  if (before.label !== label || before.remark !== remark) {
    await audit(tx, {
      actor: actorOf(context),
      action: 'payees.edit',
      subjectKind: 'payee',
      subjectId: id,
      detail: { before, after: { label, remark }, chain: row.chainId, coin: row.coin, address: row.address },
    });
    await announce(tx, [live('payee', id)]);
  }
  return asPayee(row, await context.findChains(tx), await approvalsOf(tx, context, [row]));
}

/** Deletes a payee, and ends the task of one that waits for approval. @throws DomainError payeeNotFound */
export async function remove(tx: Tx, context: PayeesContext, { id }: { id: string }): Promise<void> {
  await context.approval.withdraw(tx, context, id);
  if (!(await takeOut(tx, context, id))) throw new DomainError('payeeNotFound');
}

/**
 * What saving the address would say, before it is saved.
 * @throws DomainError chainUnknown, addressInvalid, addressChecksum, addressOwn, addressReserved, addressIsToken, accountBlacklisted,
 * payeeExists
 */
export async function check(
  context: OpenContext & PayeesPorts,
  query: Query<typeof checkAddress>,
): Promise<OutputInput<typeof checkAddress>> {
  const { database, session, readCode } = context;
  const checked = await database.withCompany(session.companyId, (tx) => compare(tx, context, query), {
    readOnly: true,
  });
  return { ...checked, code: await readCode(query.chain, checked.address) };
}

async function compare(
  tx: Tx,
  ports: PayeesPorts,
  query: Query<typeof checkAddress>,
): Promise<Omit<OutputInput<typeof checkAddress>, 'code'>> {
  const chain = usableChain(await ports.findChains(tx), query.chain);
  const family = familyOf(ports.families, chain);
  const address = await readPayable(tx, ports, chain, query.address);
  if (await ports.isBlacklisted(tx, 'crypto_address', address)) throw refusal('accountBlacklisted', {}, 'address');
  const saved = await findPayeesByAddress(tx, chain.id, address, family.likeness(address));
  if (saved.some(({ coin, status }) => coin === query.coin && status !== 'deleted' && status !== 'rejected')) {
    throw refusal('payeeExists', {}, 'address');
  }
  const [known] = saved;
  return {
    address,
    // What was not approved can be applied for again.
    knownAs: known && known.status !== 'deleted' && known.status !== 'rejected' ? known.label : null,
    lookAlikes: await lookAlikesOf(tx, ports, family, { chainId: chain.id, address }),
  };
}

/**
 * Reads an address that coins are to be sent to: neither the company's own, nor one that keeps whatever it is sent.
 * @throws DomainError addressInvalid, addressChecksum, addressReserved, addressOwn, addressIsToken on the field `address`
 */
async function readPayable(tx: Tx, ports: PayeesPorts, chain: PayeeChain, text: string): Promise<string> {
  const family = familyOf(ports.families, chain);
  const address = family.readAddress(text);
  if (await ports.isOwnAddress(tx, chain.id, address)) throw refusal('addressOwn', {}, 'address');
  if (chain.coins.some(({ contract }) => contract !== null && family.isSame(contract, address))) {
    throw refusal('addressIsToken', {}, 'address');
  }
  return address;
}

const mostDealtWith = 20;

/** Addresses of this company, saved or dealt with, that a hurried eye takes for this one, as its family says. */
export async function lookAlikesOf(
  tx: Tx,
  ports: LookAlikePorts,
  family: ChainFamily,
  { chainId, address }: { chainId: string; address: string },
): Promise<LookAlike[]> {
  const likeness = family.likeness(address);
  const found = new Map<string, LookAlike>();
  const keep = (alike: LookAlike) => {
    const key = family.keyOf(alike.address);
    if (key !== family.keyOf(address) && !found.has(key)) found.set(key, alike);
  };
  for (const row of await findAlike(tx, chainId, address, likeness)) {
    keep({ address: row.address, label: row.label, payeeId: row.status === 'deleted' ? null : row.id });
  }
  const dealtWith = await ports.findDealtWith(tx, chainId, address);
  for (const dealt of dealtWith.filter((each) => family.likeness(each.address) === likeness).slice(0, mostDealtWith)) {
    keep({ address: dealt.address, label: dealt.name ?? '', payeeId: null });
  }
  return [...found.values()];
}

async function readAddress(tx: Tx, ports: PayeesPorts, chainId: string, text: string): Promise<string> {
  const chain = usableChain(await ports.findChains(tx), chainId);
  return familyOf(ports.families, chain).readAddress(text);
}

function usableChain(chains: readonly PayeeChain[], id: string): PayeeChain {
  const chain = chains.find((each) => each.id === id && each.enabled);
  if (!chain) throw refusal('chainUnknown', {}, 'chain');
  return chain;
}

/** Of those that wait for approval or were not approved: for whom, or why. */
async function approvalsOf(
  tx: Tx,
  context: PayeesContext,
  rows: readonly PayeeRow[],
): Promise<ReadonlyMap<string, PayeeApproval>> {
  const ids = rows.flatMap(({ id, status }) => (status === 'waiting' || status === 'rejected' ? [id] : []));
  return ids.length === 0 ? new Map() : context.approval.describe(tx, context, ids);
}

/** A payee is unusable while its chain or coin is switched off (decisions, "Payees"). */
function asPayee(
  row: PayeeRow,
  chains: readonly PayeeChain[],
  approvals: ReadonlyMap<string, PayeeApproval>,
): CryptoPayee {
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
    approval: approvals.get(row.id) ?? null,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdByName,
  };
}
