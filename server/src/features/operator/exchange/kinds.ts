import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import type { ProposalKind } from '@causeway/contract/operator-rules.ts';
import * as z from 'zod/mini';
import { audit } from '../../../platform/audit/record.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { type Kind, line } from '../console/kind.ts';
import { inDigits, inUnits, type Limits, limitNames } from './domain.ts';
import { findLimits, findTerms, insertLimits, insertTerms } from './store.ts';

/** Proposals about positions and about what is added to spreads. */

const minor = z.nullable(z.string());
const limits = z.object({ mostLong: minor, mostShort: minor, hedgeFrom: minor, hedgeTo: minor });
const limitInput = z.extend(limits, { asset: z.string(), decimals: z.number() });

function readLimits(given: z.output<typeof limits>): Limits {
  return Object.fromEntries(
    limitNames.map((name) => [name, given[name] === null ? null : BigInt(given[name])]),
  ) as unknown as Limits;
}

const changeLimit: Kind = {
  subjectKind: 'asset',
  async before(tx, asset, _input, { lock }) {
    return inDigits(await findLimits(tx, asset, { lock }));
  },
  titleOf: (_locale, input) => ({ asset: limitInput.parse(input).asset }),
  changes(locale, input, before) {
    const { asset, decimals, ...wanted } = limitInput.parse(input);
    const held = limits.parse(before);
    const say = (name: keyof Limits, value: string | null) =>
      value === null
        ? translate(locale, name.startsWith('most') ? 'operator.exchange.noLimit' : 'operator.exchange.noHedging')
        : `${sayAmount(BigInt(value), decimals)} ${asset}`;
    return limitNames.map((name) => line(locale, `exchange.${name}`, say(name, held[name]), say(name, wanted[name])));
  },
  async apply(tx, context, { id: proposalId, subjectId: asset, input, reason, proposedBy }) {
    const { decimals, ...wanted } = limitInput.parse(input);
    const values = readLimits(wanted);
    await insertLimits(tx, { ...values, id: newId(), asset, reason, setBy: proposedBy, proposalId });
    await audit(tx, {
      actor: actorOf(context),
      action: 'operator.setExchangeLimit',
      subjectKind: 'exchangeLimit',
      subjectId: asset,
      detail: { ...inUnits(values, decimals), reason },
    });
  },
};

const termsInput = z.object({
  companyId: z.nullable(z.string()),
  companyName: z.nullable(z.string()),
  sell: z.nullable(z.string()),
  buy: z.nullable(z.string()),
  fromUsdCents: z.string(),
  basisPoints: z.nullable(z.number()),
  validFrom: z.nullable(z.string()),
});
export type TermsInput = z.output<typeof termsInput>;

function sayPoints(locale: Locale, points: number | null): string {
  return points === null
    ? translate(locale, 'operator.exchange.noTerms')
    : translate(locale, 'operator.price.basisPoints', { value: String(points) });
}

const changeTerms: Kind = {
  subjectKind: 'exchangeTerms',
  async before(tx, _subjectId, input) {
    return { basisPoints: await findTerms(tx, termsInput.parse(input)) };
  },
  titleOf(locale, input) {
    const { sell, buy } = termsInput.parse(input);
    const any = translate(locale, 'operator.exchange.anyAsset');
    return { sell: sell ?? any, buy: buy ?? any };
  },
  changes(locale, input, before) {
    const { companyName, fromUsdCents, basisPoints, validFrom } = termsInput.parse(input);
    const held = z.object({ basisPoints: z.nullable(z.number()) }).parse(before).basisPoints;
    const from = `${sayAmount(BigInt(fromUsdCents), 2)} USD`;
    return [
      line(locale, 'exchange.basisPoints', sayPoints(locale, held), sayPoints(locale, basisPoints)),
      line(locale, 'exchange.fromUsd', null, from),
      line(locale, 'price.company', null, companyName ?? translate(locale, 'operator.price.everyCompany')),
      line(
        locale,
        'price.validFrom',
        null,
        validFrom === null
          ? translate(locale, 'operator.price.atOnce')
          : `${validFrom.slice(0, 16).replace('T', ' ')} UTC`,
      ),
    ];
  },
  async apply(tx, context, { id: proposalId, input }) {
    const terms = termsInput.parse(input);
    const id = newId();
    await insertTerms(tx, { ...terms, id, proposalId });
    const { sell, buy, companyName, fromUsdCents, basisPoints, validFrom } = terms;
    await audit(tx, {
      actor: actorOf(context),
      action: 'operator.setExchangeTerms',
      subjectKind: 'exchangeTerms',
      subjectId: id,
      detail: {
        ...(sell !== null && { sell }),
        ...(buy !== null && { buy }),
        ...(companyName !== null && { company: companyName }),
        fromUsd: formatAmount(BigInt(fromUsdCents), 2),
        ...(basisPoints !== null && { basisPoints }),
        ...(validFrom !== null && { validFrom }),
      },
    });
  },
};

export const exchangeKinds = { 'exchange.limit': changeLimit, 'exchange.terms': changeTerms } satisfies Partial<
  Record<ProposalKind, Kind>
>;
