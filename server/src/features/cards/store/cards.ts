import type { CardDetail, ShipTo } from '@causeway/contract/cards.ts';
import type {
  CardFreezer,
  CardKind,
  CardReplacement,
  CardShippingState,
  CardState,
} from '@causeway/contract/cards-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import type { Bounds } from '../domain.ts';
import type { IssuerCard, IssuerCardState } from '../issuer.ts';

/** Cards as they are kept; amounts in minor units. */

export type Step = CardDetail['history'][number]['step'];

export async function addStep(tx: Tx, cardId: string, line: { step: Step; by?: string; note?: string }): Promise<void> {
  await sql`
    insert into card_step (company_id, id, card_id, step, by_name, note)
    values (company_id(), ${newId()}, ${cardId}, ${line.step}, ${line.by ?? null}, ${line.note ?? ''})`.execute(tx);
}

/**
 * The last digits of card `c` where they are shown: of one that its holder has not activated yet, none. They are on the card alone until then, and prove
 * that it arrived.
 */
export const shownDigits = sql<
  string | null
>`case when c.state in ('ordered', 'inactive') then null else c.last_four end`;

/** A card as changes of it need it. */
export interface CardStateRow {
  id: string;
  originId: string;
  kind: CardKind;
  holderId: string;
  name: string;
  walletId: string;
  asset: string;
  state: CardState;
  frozenBy: CardFreezer | null;
  issuerToken: string | null;
  issuerState: IssuerCardState | null;
  lastFour: string | null;
  shipTo: ShipTo | null;
  shippingState: CardShippingState | null;
  validUntil: string | null;
  replacesId: string | null;
}

const stateColumns = sql`c.id, c.origin_id as "originId", c.kind, c.holder_id as "holderId", c.name, c.wallet_id as "walletId", c.asset_id as asset, c.state,
  c.frozen_by as "frozenBy", c.issuer_token as "issuerToken", c.issuer_state as "issuerState", c.last_four as "lastFour", c.ship_to as "shipTo",
  c.shipping_state as "shippingState", c.valid_until::text as "validUntil", c.replaces_id as "replacesId"`;

/** Locked until the transaction's end: authorisations wait, and see what it wrote. */
export async function lockCard(tx: Tx, id: string): Promise<CardStateRow | null> {
  const { rows } = await sql<CardStateRow>`
    select ${stateColumns} from card c where c.company_id = company_id() and c.id = ${id} for no key update`.execute(
    tx,
  );
  return rows[0] ?? null;
}

export async function findCardState(tx: Tx, by: { token: string } | { id: string }): Promise<CardStateRow | null> {
  const condition = 'token' in by ? sql`c.issuer_token = ${by.token}` : sql`c.id = ${by.id}`;
  const { rows } = await sql<CardStateRow>`
    select ${stateColumns} from card c where c.company_id = company_id() and ${condition} for no key update`.execute(
    tx,
  );
  return rows[0] ?? null;
}

export interface NewCard {
  id: string;
  originId: string;
  kind: CardKind;
  holderId: string;
  name: string;
  walletId: string;
  asset: string;
  bounds: Bounds;
  validUntil: string | null;
  shipTo: ShipTo | null;
  replaces: { id: string; reason: CardReplacement } | null;
  /** SHA-256 of the request. */
  madeAs: Buffer | null;
}

const minor = (amount: bigint | null) => sql`${amount?.toString() ?? null}::numeric`;

/** The columns of bounds, in the order of `boundsColumns`. */
export const boundsValues = ({
  limits,
  categories,
  countries,
  online,
}: Bounds) => sql`${minor(limits.each)}, ${minor(limits.day)}, ${minor(limits.month)},
  ${minor(limits.total)}, ${categories?.mode ?? null}, ${[...(categories?.groups ?? [])]}::text[], ${countries?.mode ?? null},
  ${[...(countries?.codes ?? [])]}::text[], ${online}`;
export const boundsColumns = sql`limit_each, limit_day, limit_month, limit_total, category_mode, categories, country_mode, countries, online`;

export async function insertCard(tx: Tx, card: NewCard): Promise<void> {
  await sql`
    insert into card (company_id, id, origin_id, kind, holder_id, name, wallet_id, asset_id, ${boundsColumns}, valid_until, ship_to, shipping_state,
      replaces_id, replacement, made_as)
    values (company_id(), ${card.id}, ${card.originId}, ${card.kind}, ${card.holderId}, ${card.name}, ${card.walletId}, ${card.asset},
      ${boundsValues(card.bounds)}, ${card.validUntil}::date, ${card.shipTo === null ? null : JSON.stringify(card.shipTo)}::jsonb,
      ${card.shipTo === null ? null : 'ordered'}, ${card.replaces?.id ?? null}::uuid, ${card.replaces?.reason ?? null},
      ${card.madeAs})`.execute(tx);
}

/** Whether a card is there that this request made. */
export async function isMadeAs(tx: Tx, id: string, madeAs: Buffer): Promise<boolean> {
  const { rows } =
    await sql`select from card where company_id = company_id() and id = ${id} and made_as = ${madeAs}`.execute(tx);
  return rows.length > 0;
}

export async function updateCard(
  tx: Tx,
  id: string,
  { name, bounds, validUntil }: Pick<NewCard, 'name' | 'bounds' | 'validUntil'>,
): Promise<void> {
  await sql`
    update card set name = ${name}, valid_until = ${validUntil}::date, (${boundsColumns}) = row(${boundsValues(bounds)})
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function setFrozen(tx: Tx, id: string, by: CardFreezer | null): Promise<void> {
  await sql`
    update card set frozen_by = ${by}, frozen_at = ${by === null ? sql`null` : sql`clock_timestamp()`}
    where company_id = company_id() and id = ${id}`.execute(tx);
}

export async function closeCardRow(tx: Tx, id: string): Promise<void> {
  await sql`
    update card set state = 'closed', closed_at = clock_timestamp() where company_id = company_id() and id = ${id} and state <> 'closed'`.execute(
    tx,
  );
}

/** A payment took more than the wallet had. */
export async function blockCard(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql`
    update card set blocked_at = clock_timestamp() where company_id = company_id() and id = ${id} and blocked_at is null returning 1`.execute(
    tx,
  );
  if (rows.length > 0) await addStep(tx, id, { step: 'blocked' });
}

/** What was missing has been made good. */
export async function unblockCard(tx: Tx, id: string): Promise<void> {
  const { rows } = await sql`
    update card set blocked_at = null where company_id = company_id() and id = ${id} and blocked_at is not null returning 1`.execute(
    tx,
  );
  if (rows.length > 0) await addStep(tx, id, { step: 'unblocked' });
}

/** @returns whether anything of it is news */
export async function writeIssuerCard(tx: Tx, id: string, said: IssuerCard, state: CardState): Promise<boolean> {
  const { shipping } = said;
  const { rows } = await sql`
    update card set issuer_token = ${said.token}, issuer_state = ${said.state}, last_four = coalesce(${said.lastFour}, last_four),
      expires = coalesce(${said.expires}, expires), state = ${state}, closed_at = case when ${state} = 'closed' then coalesce(closed_at, clock_timestamp()) end,
      problem = null,
      shipping_state = case when ship_to is null then null else coalesce(${shipping?.state ?? null}, shipping_state) end,
      tracking = coalesce(${shipping?.tracking ?? null}, tracking), expected_on = coalesce(${shipping?.expectedOn ?? null}::date, expected_on),
      shipping_at = case when ${shipping?.state ?? null}::text is distinct from shipping_state then clock_timestamp() else shipping_at end
    where company_id = company_id() and id = ${id} and (issuer_token, issuer_state, state, last_four, expires, shipping_state, tracking, expected_on) is distinct from
      (${said.token}::text, ${said.state}::text, ${state}::text, coalesce(${said.lastFour}, last_four), coalesce(${said.expires}, expires),
        case when ship_to is null then null else coalesce(${shipping?.state ?? null}, shipping_state) end, coalesce(${shipping?.tracking ?? null}, tracking),
        coalesce(${shipping?.expectedOn ?? null}::date, expected_on))
    returning 1`.execute(tx);
  return rows.length > 0;
}

/** The issuer refuses to make it. */
export async function failCard(tx: Tx, id: string, problem: string): Promise<void> {
  await sql`
    update card set state = 'failed', problem = ${problem.slice(0, 500)}
    where company_id = company_id() and id = ${id} and state = 'ordered'`.execute(tx);
}

/** Its holder has it; the issuer is informed afterwards. */
export async function setActivated(tx: Tx, id: string): Promise<void> {
  await sql`
    update card set state = 'active', shipping_state = case when ship_to is null then null else 'delivered' end, shipping_at = clock_timestamp()
    where company_id = company_id() and id = ${id} and state = 'inactive'`.execute(tx);
}
