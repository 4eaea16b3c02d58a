import type { CardBounds, CardRuleSource } from '@causeway/contract/cards-limits.ts';
import { cardLimitNames } from '@causeway/contract/cards-rules.ts';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import type { Fact } from '../../../ui/description-list.tsx';

type Lists = Pick<CardBounds, 'categories' | 'countries'>;

/** What lists allow or deny, in words. */
function useListWords(): {
  categories: (list: Lists['categories']) => string;
  countries: (list: Lists['countries']) => string;
} {
  const t = useText();
  const tag = useLocaleTag();
  const joined = (names: readonly string[]) => new Intl.ListFormat(tag, { type: 'conjunction' }).format(names);
  const region = new Intl.DisplayNames(tag, { type: 'region' });
  return {
    categories: (list) =>
      list === null
        ? t('cards.categories.all')
        : t(`cards.categories.${list.mode}Is`, {
            names: joined(list.groups.map((group) => t(`cards.category.${group}`))),
          }),
    countries: (list) =>
      list === null
        ? t('cards.countries.all')
        : t(`cards.countries.${list.mode}Is`, { names: joined(list.codes.map((code) => region.of(code) ?? code)) }),
  };
}

/** What a rule allows, as facts; limits that are not set are left out, and where none is, that is said. */
export function useBoundsFacts(): (bounds: CardBounds, asset: string) => Fact[] {
  const t = useText();
  const words = useListWords();
  return ({ limits, categories, countries, online }, asset) => [
    ...cardLimitNames.flatMap((name) => {
      const amount = limits[name];
      return amount === null ? [] : [{ term: t(`cards.limit.${name}`), value: amountLine(amount, asset) }];
    }),
    ...(cardLimitNames.some((name) => limits[name] !== null)
      ? []
      : [{ term: t('cards.limits'), value: t('cards.limit.none') }]),
    { term: t('cards.categories'), value: words.categories(categories) },
    { term: t('cards.countries'), value: words.countries(countries) },
    { term: t('cards.online'), value: t(online ? 'cards.online.yes' : 'cards.online.no') },
  ];
}

/** What binds a card in one respect: in words, and where it comes from; one for each source. */
export interface Bound {
  term: string;
  by: readonly { what: string; source: string }[];
}

/** What a card may do, all rules above it included: what no one limits is said too. */
export function useBinding(): (binding: readonly CardRuleSource[], asset: string) => Bound[] {
  const t = useText();
  const words = useListWords();
  return (binding, asset) => {
    const of = (bound: CardRuleSource['bound'], what: (rule: CardRuleSource) => string) =>
      binding
        .filter((rule) => rule.bound === bound)
        .map((rule) => ({ what: what(rule), source: t(`cards.source.${rule.source}`, { name: rule.name ?? '' }) }));
    const orFree = (by: Bound['by'], free: string) => (by.length > 0 ? by : [{ what: free, source: '' }]);
    return [
      ...cardLimitNames
        .map((name) => ({
          term: t(`cards.limit.${name}`),
          by: of(name, ({ amount }) => (amount === null ? '' : amountLine(amount, asset))),
        }))
        .filter(({ by }) => by.length > 0),
      {
        term: t('cards.categories'),
        by: orFree(
          of('categories', ({ categories }) => words.categories(categories)),
          words.categories(null),
        ),
      },
      {
        term: t('cards.countries'),
        by: orFree(
          of('countries', ({ countries }) => words.countries(countries)),
          words.countries(null),
        ),
      },
      {
        term: t('cards.online'),
        by: orFree(
          of('online', () => t('cards.online.no')),
          t('cards.online.yes'),
        ),
      },
    ];
  };
}
