import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type { proposePrice, tryPrice } from '@causeway/contract/operator-prices.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf } from '../../../platform/session.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { propose, requireActing } from '../console/service/proposals.ts';
import { lockStaff } from '../console/store/accounts.ts';
import { type PriceKey, readValue, requireFuture } from './domain.ts';
import type { PriceInput } from './kinds.ts';
import { readKnown, shownHeld, tryOut } from './prices.ts';
import { countCompanies, findCompanyName, findExempt, priceHistory, readClock, withdrawPlanned } from './store.ts';

/** Changes of prices: proposed by one operator and confirmed by another; what is only planned, one operator takes back. */

type Keyed = Pick<Body<typeof proposePrice>, 'kind' | 'asset' | 'chain' | 'bank' | 'companyId'>;

function keyOf({ kind, asset, chain, bank, companyId }: Keyed): PriceKey {
  return { kind, asset, chain: chain ?? null, bank: bank ?? null, companyId: companyId ?? null };
}

async function affectedBy(tx: Tx, key: PriceKey): Promise<number> {
  if (key.companyId !== null) return 1;
  return (await countCompanies(tx)) - (await findExempt(tx, key)).length;
}

/** @throws DomainError notFound, assetUnknown, coinNotOnChain, currencyNotAtBank, amountFormat, amountTooManyDecimals, amountTooLarge, priceOutOfRange */
export async function tryOne(
  tx: Tx,
  _context: StaffContext,
  query: Query<typeof tryPrice>,
): Promise<OutputInput<typeof tryPrice>> {
  const key = keyOf(query);
  const { asset, held, fallback } = await readKnown(tx, key);
  const { decimals } = asset;
  const value = query.value === undefined ? fallback : readValue(query.value, { ...key, decimals });
  return {
    before: shownHeld(key.kind, held, decimals),
    trial: value === null ? null : await tryOut(tx, key, value, decimals),
    affected: await affectedBy(tx, key),
  };
}

/**
 * @throws DomainError notFound, assetUnknown, coinNotOnChain, currencyNotAtBank, amountFormat, amountTooManyDecimals, amountTooLarge, priceOutOfRange, priceInPast,
 * pricePlanned when one begins at the same instant, nothingChanges, proposalOpen
 */
export async function proposeChange(
  tx: Tx,
  context: StaffContext,
  { value: text, validFrom, reason, ...keyed }: Body<typeof proposePrice>,
): Promise<{ proposalId: string }> {
  await lockStaff(tx);
  await requireActing(tx, context, 'operator.price');
  requireFuture(validFrom, await readClock(tx));
  const key = keyOf(keyed);
  const { asset, held, fallback } = await readKnown(tx, key);
  const { decimals, isCoin } = asset;
  const value = text === null ? null : readValue(text, { ...key, decimals });
  const from = validFrom === undefined ? null : new Date(validFrom).getTime();
  if (held.planned.some((one) => one.validFrom.getTime() === from)) throw new DomainError('pricePlanned');
  const isOwn = held.from === (key.companyId === null ? 'installation' : 'company');
  const isSame = value === null ? !isOwn : value === held.value && (isOwn || key.companyId === null);
  if (isSame && held.planned.length === 0) throw new DomainError('nothingChanges');
  const companyName = key.companyId === null ? null : await findCompanyName(tx, key.companyId);
  const effective = value ?? fallback;
  const input: PriceInput = {
    ...key,
    companyName,
    isCoin,
    decimals,
    value: value === null ? null : value.toString(),
    validFrom: validFrom ?? null,
    fallback: fallback === null ? null : fallback.toString(),
    affected: await affectedBy(tx, key),
    // As it was when it was proposed: the confirmation shows the same figures.
    trial: effective === null ? null : await tryOut(tx, key, effective, decimals),
  };
  const subjectId = [key.kind, key.asset, key.chain ?? key.bank ?? '', key.companyId ?? ''].join(' ');
  const place = [...asset.chains, ...asset.banks].find(({ id }) => id === (key.chain ?? key.bank))?.name;
  const subjectName = place === undefined ? key.asset : `${key.asset} · ${place}`;
  return { proposalId: await propose(tx, context, { kind: 'price.change', subjectId, subjectName, input, reason }) };
}

/** Takes a planned price back: what holds before it holds on. @throws DomainError notFound, priceInForce */
export async function withdraw(
  tx: Tx,
  context: StaffContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  await lockStaff(tx);
  const { id: by } = await requireActing(tx, context, 'operator.price');
  const [row] = (await readPage(tx, priceHistory, { id }, undefined)).items;
  if (!row) throw new DomainError('notFound');
  if (!(await withdrawPlanned(tx, { id, by, reason }))) throw new DomainError('priceInForce');
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.withdrawPrice',
    subjectKind: 'price',
    subjectId: id,
    detail: {
      price: row.kind,
      asset: row.asset,
      ...(row.chainName !== null && { chain: row.chainName }),
      ...(row.bankNames !== null && { bank: row.bankNames.name }),
      ...(row.company !== null && { company: row.company }),
      validFrom: row.validFrom.toISOString(),
      reason,
    },
  });
}
