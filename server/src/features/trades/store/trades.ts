import type { TradeActor, TradePhase, TradeSide, TradeState, TradeStep } from '@causeway/contract/trades-rules.ts';
import type { Stage, TransactionStatus } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { announcing } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import type { Milestone, OwnState, TradeNews } from '../domain.ts';
import { lineWritten } from '../events.ts';
import { shownActor, shownState, tradeJoins } from './shown.ts';

export interface TradeDocument {
  name: string;
  url: string;
  sha256: string;
}

/** A trade of the company; amounts in minor units. */
export interface TradeRow {
  id: string;
  side: TradeSide;
  version: number;
  number: string;
  status: TradeState;
  phase: TradePhase;
  state: OwnState;
  chainId: string;
  chainName: string;
  asset: string;
  decimals: number;
  quantityMinor: bigint;
  refundedMinor: bigint;
  frozenMinor: bigint;
  payerName: string;
  payerAddress: string;
  payerWallet: string;
  payeeName: string;
  payeeAddress: string;
  payeeWallet: string;
  billOfLading: string | null;
  actBy: Date | null;
  milestones: Milestone[];
  documents: TradeDocument[];
  contradiction: { fields: string[]; version: number; at: string } | null;
  confirmationId: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** Payments to the seller that have not failed; those of them that are final; of the latest, its hash. */
  releasedMinor: bigint;
  paidMinor: bigint;
  hash: string | null;
  /** Milestones that a payment which has not failed is of, and those of them whose payment is final. */
  releasedMilestones: string[];
  paidMilestones: string[];
  /** The buyer is a company here: its sums are those of its copy, on both sides. */
  isBuyerKnown: boolean;
  /** How it is shown; `status` and `state` are what the platform says and what the company has done. */
  shown: TradeState;
  actor: TradeActor | null;
}

export const tradeColumns = sql<TradeFlat>`t.id, t.side, t.version, t.number, t.status, t.phase, t.state, t.chain_id as "chainId",
  c.name as "chainName", t.asset_id as asset, a.decimals, t.quantity as "quantityMinor", t.refunded as "refundedMinor", sums.frozen as "frozenMinor",
  t.payer_name as "payerName", t.payer_address as "payerAddress", t.payer_wallet as "payerWallet", t.payee_name as "payeeName",
  t.payee_address as "payeeAddress", t.payee_wallet as "payeeWallet", t.bill_of_lading as "billOfLading", t.act_by as "actBy",
  t.milestones as "milestonesText", t.documents, t.contradiction, t.confirmation_id as "confirmationId", t.created_at as "createdAt",
  t.updated_at as "updatedAt", sums.released as "releasedMinor", sums.paid as "paidMinor", sums.hash,
  sums."releasedMilestones", sums."paidMilestones", sums.state is not null as "isBuyerKnown", ${shownState} as shown, ${shownActor} as actor`;

type KeptMilestone = Omit<Milestone, 'amountMinor'> & { amount: string };
export type TradeFlat = Omit<TradeRow, 'milestones'> & { milestonesText: KeptMilestone[] };

export function tradeOf({ milestonesText, ...row }: TradeFlat): TradeRow {
  const milestones = milestonesText.map(({ amount, ...each }) => ({ ...each, amountMinor: BigInt(amount) }));
  return { ...row, milestones };
}

export async function readTrade(tx: Tx, id: string): Promise<TradeRow | null> {
  const { rows } = await sql<TradeFlat>`
    select ${tradeColumns} from ${tradeJoins} where t.company_id = company_id() and t.id = ${id}`.execute(tx);
  return rows[0] ? tradeOf(rows[0]) : null;
}

/** Locked until the transaction's end; read behind the lock. */
export async function lockTrade(tx: Tx, id: string): Promise<TradeRow | null> {
  await sql`select from trade where company_id = company_id() and id = ${id} for no key update`.execute(tx);
  return readTrade(tx, id);
}

/** The trade that a confirmation is of. */
export async function findTradeOf(tx: Tx, confirmationId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select trade_id as id from trade_confirmation where company_id = company_id() and id = ${confirmationId}`.execute(
    tx,
  );
  return rows[0]?.id ?? null;
}

/** What an event says of a trade. */
export interface TradeWritten
  extends Omit<
    TradeRow,
    | ('side' | 'state' | 'chainName' | 'decimals' | 'frozenMinor' | 'contradiction' | 'confirmationId' | 'createdAt')
    | ('updatedAt' | 'releasedMinor' | 'paidMinor' | 'hash' | 'releasedMilestones' | 'paidMilestones' | 'isBuyerKnown')
    | ('shown' | 'actor')
  > {}

const keptMilestones = (milestones: readonly Milestone[]) =>
  JSON.stringify(milestones.map(({ amountMinor, ...each }) => ({ ...each, amount: amountMinor.toString() })));

export async function insertTrade(tx: Tx, side: TradeSide, trade: TradeWritten): Promise<void> {
  await sql`
    insert into trade (company_id, id, side, version, number, status, phase, chain_id, asset_id, quantity, refunded, payer_name, payer_address,
      payer_wallet, payee_name, payee_address, payee_wallet, bill_of_lading, act_by, milestones, documents)
    values (company_id(), ${trade.id}, ${side}, ${trade.version}, ${trade.number}, ${trade.status}, ${trade.phase}, ${trade.chainId}, ${trade.asset},
      ${trade.quantityMinor.toString()}::numeric, ${trade.refundedMinor.toString()}::numeric, ${trade.payerName}, ${trade.payerAddress},
      ${trade.payerWallet}, ${trade.payeeName}, ${trade.payeeAddress}, ${trade.payeeWallet}, ${trade.billOfLading}, ${trade.actBy},
      ${keptMilestones(trade.milestones)}::jsonb, ${JSON.stringify(trade.documents)}::jsonb)`.execute(tx);
}

/** Takes over what an event says. */
export async function updateTrade(tx: Tx, trade: TradeWritten): Promise<void> {
  await sql`
    update trade set version = ${trade.version}, number = ${trade.number}, status = ${trade.status}, phase = ${trade.phase},
      quantity = ${trade.quantityMinor.toString()}::numeric, refunded = ${trade.refundedMinor.toString()}::numeric,
      payer_name = ${trade.payerName}, payer_address = ${trade.payerAddress}, payee_name = ${trade.payeeName},
      payee_address = ${trade.payeeAddress}, bill_of_lading = ${trade.billOfLading}, act_by = ${trade.actBy},
      milestones = ${keptMilestones(trade.milestones)}::jsonb, documents = ${JSON.stringify(trade.documents)}::jsonb,
      contradiction = null, updated_at = clock_timestamp()
    where company_id = company_id() and id = ${trade.id}`.execute(tx);
}

/** Keeps that an event contradicted what was settled; of it, its version alone counts. */
export async function keepContradiction(
  tx: Tx,
  id: string,
  version: number,
  fields: readonly string[],
  at: Date,
): Promise<void> {
  await sql`
    update trade set version = ${version}, contradiction = ${JSON.stringify({ fields, version, at: at.toISOString() })}::jsonb,
      updated_at = clock_timestamp()
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function setState(
  tx: Tx,
  id: string,
  { state, frozenMinor, confirmationId }: { state: OwnState; frozenMinor: bigint; confirmationId?: string },
): Promise<void> {
  const confirmed = confirmationId === undefined ? sql`` : sql`confirmation_id = ${confirmationId}::uuid,`;
  await sql`
    update trade set state = ${state}, ${confirmed} frozen = ${frozenMinor.toString()}::numeric, updated_at = clock_timestamp()
    where company_id = company_id() and id = ${id}`.execute(tx);
}

/** The phase as the buyer's own act makes it. */
export async function setPhase(tx: Tx, id: string, phase: TradePhase): Promise<void> {
  await sql`
    update trade set phase = ${phase}, updated_at = clock_timestamp() where company_id = company_id() and id = ${id}`.execute(
    tx,
  );
}

export interface NewLine {
  /** Absent: a new one. */
  id?: string;
  step: TradeStep;
  by?: string;
  amountMinor?: bigint;
  phase?: TradePhase;
  note?: string;
  version?: number;
  /** What of an event is new to the company. */
  news?: TradeNews | null;
  /** The member whose name `by` is. */
  byId?: string;
  /** The payment to the seller that it is about. */
  transactionId?: string;
  /** Names of the milestones that an event says were reached. */
  milestones?: readonly string[];
}

/** Writes a line and announces it, in one statement. @returns its id */
export async function addLine(tx: Tx, tradeId: string, line: NewLine): Promise<string> {
  const id = line.id ?? newId();
  await sql`
    with line as (
      insert into trade_line (company_id, id, trade_id, step, by_name, amount, phase, note, version, transaction_id, milestones)
      values (company_id(), ${id}, ${tradeId}, ${line.step}, ${line.by ?? null}, ${line.amountMinor?.toString() ?? null}::numeric,
        ${line.phase ?? null}, ${line.note ?? ''}, ${line.version ?? null}, ${line.transactionId ?? null}::uuid,
        ${[...(line.milestones ?? [])]}::text[])
    )
    ${announcing([lineWritten({ tradeId, lineId: id, news: line.news ?? null, byId: line.byId ?? null })])}`.execute(
    tx,
  );
  return id;
}

export interface LineRow {
  id: string;
  step: TradeStep;
  at: Date;
  by: string | null;
  amountMinor: bigint | null;
  phase: TradePhase | null;
  note: string;
  version: number | null;
  /** The payment to the seller that it is about; null: of none, and of one that was submitted. */
  transactionId: string | null;
  /** Names of the milestones that were reached by it. */
  milestones: string[];
}

export const lineColumns = sql<LineRow>`id, step, at, by_name as by, amount as "amountMinor", phase, note, version,
  transaction_id as "transactionId", milestones`;

export async function readLine(tx: Tx, id: string): Promise<LineRow | null> {
  const { rows } = await sql<LineRow>`
    select ${lineColumns} from trade_line where company_id = company_id() and id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

export async function readLines(tx: Tx, tradeId: string): Promise<LineRow[]> {
  const { rows } = await sql<LineRow>`
    select ${lineColumns} from trade_line
    where company_id = company_id() and trade_id = ${tradeId} order by at, id`.execute(tx);
  return rows;
}

export interface ReleaseRow {
  transactionId: string;
  milestoneId: string | null;
  amountMinor: bigint;
  status: TransactionStatus;
  stage: Stage;
  hash: string | null;
  at: Date;
}

export async function readReleases(tx: Tx, tradeId: string): Promise<ReleaseRow[]> {
  const { rows } = await sql<ReleaseRow>`
    select r.transaction_id as "transactionId", r.milestone_id as "milestoneId", r.amount as "amountMinor", t.status, t.stage, o.hash, r.at
    from trade_release r
    join transaction t on t.company_id = r.company_id and t.id = r.transaction_id
    left join transaction_chain o on o.company_id = r.company_id and o.transaction_id = r.transaction_id
    where r.company_id = company_id() and r.trade_id = ${tradeId} order by r.at, r.transaction_id`.execute(tx);
  return rows;
}

/** Which companies are the sides of a trade, by addresses as their chain writes them. */
export async function findSides(
  tx: PlatformTx,
  chainId: string,
  buyer: string,
  seller: string,
): Promise<{ companyId: string; side: TradeSide }[]> {
  const { rows } = await sql<{ companyId: string; side: TradeSide }>`
    select company_id as "companyId", side from trade_sides(${chainId}, ${buyer}, ${seller})`.execute(tx);
  return rows;
}

/** How a network and an asset of it are read; null where the installation has none such. */
export async function findPlace(
  tx: PlatformTx,
  chainId: string,
  asset: string,
): Promise<{ family: string; decimals: number } | null> {
  const { rows } = await sql<{ family: string; decimals: number }>`
    select c.family, a.decimals from chain c join chain_asset ca on ca.chain_id = c.id join asset a on a.id = ca.coin
    where c.id = ${chainId} and a.id = ${asset}`.execute(tx);
  return rows[0] ?? null;
}
