import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, sayAmount, sayAmountText } from '@causeway/contract/money.ts';
import { isShare, priceKinds, priceName, priceTrial, switchKinds } from '@causeway/contract/operator-prices.ts';
import type { ProposalKind } from '@causeway/contract/operator-rules.ts';
import * as z from 'zod/mini';
import { audit } from '../../../platform/audit/record.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { type Difference, type Kind, line } from '../console/kind.ts';
import { readKnown } from './prices.ts';
import { insertPrice } from './store.ts';
import { endSwitch, findOff } from './switches-store.ts';

/** Proposals about prices and about what is switched off. */

const minor = z.nullable(z.string());

/** What is proposed; values in minor units or basis points. What it would have earned is as it was then. */
const priceInput = z.object({
  kind: z.enum(priceKinds),
  asset: z.string(),
  chain: z.nullable(z.string()),
  /** Proposals of releases that knew no prices at banks have none. */
  bank: z._default(z.nullable(z.string()), null),
  companyId: z.nullable(z.string()),
  companyName: z.nullable(z.string()),
  /** Earlier releases set of a currency only what is called the same for coins. */
  isCoin: z._default(z.boolean(), true),
  decimals: z.number(),
  value: minor,
  validFrom: z.nullable(z.string()),
  /** What holds without a price of its own. */
  fallback: minor,
  affected: z.number(),
  trial: z.nullable(priceTrial),
});
export type PriceInput = z.output<typeof priceInput>;

const priceBefore = z.object({
  value: minor,
  from: z.enum(['company', 'installation', 'registered']),
  planned: z.array(z.object({ value: minor, validFrom: z.string() })),
});

/** A value as a sentence says it: with its asset, a spread with its unit. */
function sayPrice(
  locale: Locale,
  { kind, asset, decimals }: Pick<PriceInput, 'kind' | 'asset' | 'decimals'>,
  value: string | null,
): string {
  const isMinimum = kind === 'withdrawal_minimum' || kind === 'recharge_minimum';
  if (value === null) return translate(locale, isMinimum ? 'operator.price.byBank' : 'operator.price.none');
  if (isShare(kind)) return translate(locale, 'operator.price.basisPoints', { value });
  return `${sayAmount(BigInt(value), decimals)} ${asset}`;
}

function sayInstant(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}

const change: Kind = {
  subjectKind: 'price',
  async before(tx, _subjectId, input) {
    const { held } = await readKnown(tx, priceInput.parse(input));
    return {
      value: held.value?.toString() ?? null,
      from: held.from,
      planned: held.planned.map((one) => ({
        value: one.value?.toString() ?? null,
        validFrom: one.validFrom.toISOString(),
      })),
    };
  },
  titleOf(locale, input) {
    const { kind, companyName, ...of } = priceInput.parse(input);
    return {
      price: translate(locale, `operator.price.${priceName(kind, of)}`),
      company: companyName ?? translate(locale, 'operator.price.everyCompany'),
    };
  },
  changes(locale, input, before) {
    const proposed = priceInput.parse(input);
    const { value, planned } = priceBefore.parse(before);
    const { validFrom, companyName, affected } = proposed;
    const after =
      proposed.value === null
        ? translate(locale, 'operator.price.asEveryone', { value: sayPrice(locale, proposed, proposed.fallback) })
        : sayPrice(locale, proposed, proposed.value);
    return [
      line(locale, `price.${priceName(proposed.kind, proposed)}`, sayPrice(locale, proposed, value), after),
      line(
        locale,
        'price.validFrom',
        null,
        validFrom === null ? translate(locale, 'operator.price.atOnce') : sayInstant(validFrom),
      ),
      line(
        locale,
        'price.company',
        null,
        companyName ?? translate(locale, 'operator.price.companies', { count: affected }),
      ),
      ...planned.map((one) =>
        line(locale, 'price.planned', `${sayPrice(locale, proposed, one.value)} · ${sayInstant(one.validFrom)}`, null),
      ),
      ...trialLines(locale, proposed),
    ];
  },
  async apply(tx, context, { id: proposalId, input }) {
    const price = priceInput.parse(input);
    const value = price.value === null ? null : BigInt(price.value);
    const id = newId();
    await insertPrice(tx, { ...price, id, value, proposalId, setBy: null });
    const inUnits = (text: string) => formatAmount(BigInt(text), isShare(price.kind) ? 0 : price.decimals);
    await audit(tx, {
      actor: actorOf(context),
      action: 'operator.setPrice',
      subjectKind: 'price',
      subjectId: id,
      detail: {
        price: price.kind,
        asset: price.asset,
        ...(price.chain !== null && { chain: price.chain }),
        ...(price.bank !== null && { bank: price.bank }),
        ...(price.companyName !== null && { company: price.companyName }),
        ...(price.value !== null && { value: inUnits(price.value) }),
        ...(price.validFrom !== null && { validFrom: price.validFrom }),
      },
    });
  },
};

/** What it would have made of the last 90 days. */
function trialLines(locale: Locale, { trial, asset, isCoin }: PriceInput): Difference[] {
  if (trial === null) return [];
  const inAsset = (amount: string, usd: string | undefined) =>
    `${sayAmountText(amount)} ${asset}${usd === undefined ? '' : ` (≈ ${sayAmountText(usd)} USD)`}`;
  const lines = [
    line(
      locale,
      'price.earned',
      inAsset(trial.earned, trial.usd?.earned),
      inAsset(trial.wouldEarn, trial.usd?.wouldEarn),
    ),
  ];
  if (trial.refused === 0) return lines;
  const counts = { refused: trial.refused, transfers: trial.transfers };
  const refused = translate(locale, isCoin ? 'operator.price.refused' : 'operator.price.refusedPayments', counts);
  return [...lines, line(locale, 'price.refused', null, refused)];
}

const switchInput = z.object({
  what: z.enum(switchKinds),
  /** What it is on: of one of them. */
  chainName: z.optional(z.string()),
  bankName: z.optional(z.string()),
  coin: z.nullable(z.string()),
  offReason: z.string(),
});
export type SwitchInput = z.output<typeof switchInput>;

const switchOn: Kind = {
  subjectKind: 'switch',
  async before(tx, subjectId) {
    return { isOff: (await findOff(tx, subjectId)) !== null };
  },
  titleOf: (locale, input) => ({ what: translate(locale, `operator.switch.${switchInput.parse(input).what}`) }),
  changes(locale, input) {
    const { offReason } = switchInput.parse(input);
    return [
      line(locale, 'switch', translate(locale, 'operator.switch.off'), translate(locale, 'operator.switch.on')),
      line(locale, 'switch.reason', offReason, null),
    ];
  },
  async apply(tx, context, { id: proposalId, subjectId, subjectName: name }) {
    if (!(await endSwitch(tx, subjectId, proposalId))) throw new DomainError('proposalStale');
    await audit(tx, {
      actor: actorOf(context),
      action: 'operator.switchOn',
      subjectKind: 'switch',
      subjectId,
      detail: { name },
    });
  },
};

export const pricingKinds = { 'price.change': change, 'switch.on': switchOn } satisfies Partial<
  Record<ProposalKind, Kind>
>;
