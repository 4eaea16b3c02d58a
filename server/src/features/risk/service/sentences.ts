import type { Locale } from '@causeway/contract/locale.ts';
import { parseAmount, sayAmount } from '@causeway/contract/money.ts';
import type { RiskContent } from '@causeway/contract/risk.ts';
import { translate } from '../../../platform/text/texts.ts';
import { type Facts, type Finding, type Inputs, type Policy, quantityDecimals, type WhiteEntry } from '../domain.ts';
import { namedIn } from './content.ts';

/** What the judgement saw and why it matched or not, as sentences in the reader's language. */
export interface Wording {
  locale: Locale;
  /** Names of chains by id. */
  chains: ReadonlyMap<string, string>;
  /** Names of members, departments and roles by id, of deleted ones too. */
  called: ReadonlyMap<string, { name: string; gone: boolean }>;
}

/** The ids whose names the sentences about a judgement need, beside those of its policies. */
export function namesNeeded({ subject, affiliation }: Pick<Facts, 'subject' | 'affiliation'>): string[] {
  const { roleId = null, departmentIds = [] } = affiliation ?? {};
  return [subject.initiatorId, ...departmentIds, ...(roleId === null ? [] : [roleId])];
}

/** What a policy saw of a transaction. */
export function policySaw(
  wording: Wording,
  { definition }: Policy,
  { subject, sums, coinSums, affiliation }: Facts,
): string {
  const { locale, chains } = wording;
  const { content } = definition;
  const isOfCoins = ['crypto_quantity', 'crypto_value', 'crypto_frequency'].includes(content.dimension);
  const sum = ((isOfCoins ? coinSums : null) ?? sums)[definition.window];
  const window = translate(locale, `risk.window.${definition.window}`);
  const unknown = translate(locale, 'risk.value.unknown');
  switch (content.dimension) {
    case 'chain': {
      const value = subject.chainId === null ? unknown : (chains.get(subject.chainId) ?? subject.chainId);
      return translate(locale, 'risk.saw.chain', { value });
    }
    case 'coin':
      return translate(locale, 'risk.saw.coin', { value: subject.coin ?? unknown });
    case 'fiat_currency':
      return translate(locale, 'risk.saw.fiat_currency', { value: subject.currency ?? unknown });
    case 'payment_region': {
      const value = subject.region === null ? unknown : countryName(locale, subject.region);
      return translate(locale, 'risk.saw.payment_region', { value });
    }
    case 'initiator':
      return translate(locale, 'risk.saw.initiator', { value: nameOf(wording, subject.initiatorId) });
    case 'department': {
      // From the top, as one would say it.
      const path = [...(affiliation?.departmentIds ?? [])].reverse().map((id) => nameOf(wording, id));
      const none = affiliation ? translate(locale, 'risk.value.noDepartment') : unknown;
      return translate(locale, 'risk.saw.department', { value: path.length === 0 ? none : path.join(' › ') });
    }
    case 'role': {
      const roleId = affiliation?.roleId ?? null;
      return translate(locale, 'risk.saw.role', { value: roleId === null ? unknown : nameOf(wording, roleId) });
    }
    case 'crypto_quantity':
    case 'fiat_amount': {
      const asset = (content.dimension === 'fiat_amount' ? subject.currency : subject.coin) ?? unknown;
      const value = `${sayAmount(sum.quantity, quantityDecimals)} ${asset}`;
      return translate(locale, 'risk.saw.sum', { value, window });
    }
    case 'crypto_value':
      return translate(locale, 'risk.saw.sum', { value: sayUsd(locale, sum.valueCents), window });
    case 'crypto_frequency':
    case 'fiat_frequency':
      return translate(locale, 'risk.saw.count', { count: sum.transactions, window });
  }
}

/** Why that matched the policy or not. */
export function policyWhy(wording: Wording, { definition }: Policy, finding: Finding): string {
  const { locale } = wording;
  const content = contentText(wording, definition.content);
  if (finding === 'unconcerned') return translate(locale, 'risk.why.unconcerned', { content });
  if (definition.result === 'allow') return translate(locale, `risk.why.exempt.${finding}`, { content });
  if (definition.method === 'forbid') return translate(locale, `risk.why.forbid.${finding}`, { content });
  return translate(locale, `risk.why.allow_only.${finding}`, { content });
}

/** What the white list saw of a transaction to one of its accounts: all sums with this transaction. */
export function whitelistSaw(locale: Locale, { subject }: Inputs, entry: WhiteEntry): string {
  return translate(locale, 'risk.saw.whitelist', {
    account: subject.account,
    single: sayAmount(subject.valueUsdCents, 2),
    daily: sayAmount(entry.usedTodayCents + subject.valueUsdCents, 2),
    cumulative: sayAmount(entry.usedCents + subject.valueUsdCents, 2),
  });
}

export function whitelistWithin(locale: Locale, entry: WhiteEntry): string {
  return translate(locale, 'risk.why.whitelist.within', {
    single: sayAmount(entry.singleCents, 2),
    daily: sayAmount(entry.dailyCents, 2),
    cumulative: sayAmount(entry.cumulativeCents, 2),
  });
}

function contentText(wording: Wording, content: RiskContent): string {
  const { locale, chains } = wording;
  switch (content.dimension) {
    case 'chain':
      return listText(
        locale,
        content.chains.map((id) => chains.get(id) ?? id),
      );
    case 'coin':
      return listText(locale, content.coins);
    case 'fiat_currency':
      return listText(locale, content.currencies);
    case 'payment_region':
      return listText(
        locale,
        content.countries.map((code) => countryName(locale, code)),
      );
    case 'initiator':
    case 'department':
    case 'role':
      return listText(
        locale,
        namedIn(content).map((id) => nameOf(wording, id)),
      );
    case 'crypto_quantity':
      return rangeText(locale, content, (figure) => `${sayFigure(figure)} ${content.coin}`);
    case 'fiat_amount':
      return rangeText(locale, content, (figure) => `${sayFigure(figure)} ${content.currency}`);
    case 'crypto_value':
      return rangeText(locale, content, (figure) => translate(locale, 'risk.value.usd', { amount: sayFigure(figure) }));
    case 'crypto_frequency':
    case 'fiat_frequency':
      return rangeText(locale, content, (figure) => translate(locale, 'risk.value.count', { count: Number(figure) }));
  }
}

/** A deleted one is named as such. */
function nameOf({ locale, called }: Wording, id: string): string {
  const found = called.get(id);
  if (!found) return translate(locale, 'risk.value.unknown');
  return found.gone ? translate(locale, 'risk.value.deleted', { name: found.name }) : found.name;
}

function rangeText(
  locale: Locale,
  { from, to }: { from: string; to: string | null },
  say: (figure: string) => string,
): string {
  if (to === null) return translate(locale, 'risk.content.atLeast', { from: say(from) });
  return translate(locale, 'risk.content.between', { from: say(from), to: say(to) });
}

function sayUsd(locale: Locale, cents: bigint): string {
  return translate(locale, 'risk.value.usd', { amount: sayAmount(cents, 2) });
}

/** A figure of a policy, which is a plain decimal of at most eighteen decimals. */
function sayFigure(figure: string): string {
  const parsed = parseAmount(figure, quantityDecimals);
  return parsed.ok ? sayAmount(parsed.minor, quantityDecimals) : figure;
}

/** "Ethereum, Base or Polygon". */
function listText(locale: Locale, names: readonly string[]): string {
  return new Intl.ListFormat(tagOf(locale), { type: 'disjunction' }).format(names);
}

function countryName(locale: Locale, code: string): string {
  return new Intl.DisplayNames([tagOf(locale)], { type: 'region', fallback: 'code' }).of(code) ?? code;
}

function tagOf(locale: Locale): string {
  return { 'en-us': 'en-US', 'zh-hk': 'zh-HK', 'zh-cn': 'zh-CN' }[locale];
}
