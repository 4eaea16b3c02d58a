import type { PolicyDefinition, RiskContent } from '@causeway/contract/risk.ts';
import type { RiskWindow } from '@causeway/contract/risk-rules.ts';
import type { Translate } from '../../lib/locale.tsx';
import { amountLine } from '../../ui/amount-parts.ts';

/** What the sentence needs beside the policy: names of chains, and the reader's language. */
export interface SentenceWords {
  t: Translate;
  /** BCP 47. */
  tag: string;
  chainName: (id: string) => string;
  /** Of a member, department or role. */
  nameOf: (id: string) => string;
}

/** One plain sentence that says what a policy does. */
export function policySentence(policy: PolicyDefinition, words: SentenceWords): string {
  // A sentence that ends with what is still to be filled in needs no full stop.
  return sentenceOf(policy, words).replace(/…\.$/, '…');
}

function sentenceOf(policy: PolicyDefinition, words: SentenceWords): string {
  const { t } = words;
  const business = t(`risk.businesses.${policy.business}`);
  const condition = conditionOf(policy.content, policy.window, words);
  if (policy.method === 'forbid') return t('risk.sentence.forbid', { business, condition });
  return policy.result === 'allow'
    ? t('risk.sentence.exempt', { business, condition })
    : t('risk.sentence.allowOnly', { business, condition });
}

function conditionOf(content: RiskContent, window: RiskWindow, words: SentenceWords): string {
  const { t, tag, chainName, nameOf } = words;
  switch (content.dimension) {
    case 'chain':
      return t('risk.condition.chain', { list: oneOf(content.chains.map(chainName), tag) });
    case 'coin':
      return t('risk.condition.coin', { list: oneOf(content.coins, tag) });
    case 'fiat_currency':
      return t('risk.condition.fiat_currency', { list: oneOf(content.currencies, tag) });
    case 'payment_region': {
      const names = new Intl.DisplayNames(tag, { type: 'region' });
      const list = oneOf(
        content.countries.map((code) => names.of(code) ?? code),
        tag,
      );
      return t('risk.condition.payment_region', { list });
    }
    case 'initiator':
      return t('risk.condition.initiator', { list: oneOf(content.members.map(nameOf), tag) });
    case 'department':
      return t('risk.condition.department', { list: oneOf(content.departments.map(nameOf), tag) });
    case 'role':
      return t('risk.condition.role', { list: oneOf(content.roles.map(nameOf), tag) });
    case 'crypto_quantity':
      return t('risk.condition.sum', { window, range: rangeOf(content, content.coin, words) });
    case 'fiat_amount':
      return t('risk.condition.sum', { window, range: rangeOf(content, content.currency, words) });
    case 'crypto_value':
      return t('risk.condition.value', { window, range: rangeOf(content, 'USD', words) });
    case 'crypto_frequency':
    case 'fiat_frequency':
      return t('risk.condition.count', { window, range: countRange(content, t) });
  }
}

/** "A, B or C". */
function oneOf(names: readonly string[], tag: string): string {
  return names.length === 0 ? '…' : new Intl.ListFormat(tag, { type: 'disjunction' }).format(names);
}

interface Range {
  from: string;
  to: string | null;
}

function rangeOf({ from, to }: Range, unit: string, { t }: SentenceWords): string {
  const figure = (amount: string) => `${amount === '' ? '…' : amountLine(amount)} ${unit === '' ? '…' : unit}`;
  return to === null
    ? t('risk.range.atLeast', { from: figure(from) })
    : t('risk.range.between', { from: figure(from), to: figure(to) });
}

function countRange({ from, to }: Range, t: Translate): string {
  const figure = from === '' ? '…' : from;
  return to === null
    ? t('risk.range.countAtLeast', { from: figure })
    : t('risk.range.countBetween', { from: figure, to });
}
