import type { CardBounds } from '@causeway/contract/cards-limits.ts';
import { cardLimitNames } from '@causeway/contract/cards-rules.ts';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import type { Fact } from '../../../ui/description-list.tsx';

/** What a card or a rule allows, as facts; limits that are not set are left out. */
export function useBoundsFacts(): (bounds: CardBounds, asset: string) => Fact[] {
  const t = useText();
  const tag = useLocaleTag();
  return ({ limits, categories, countries, online }, asset) => {
    const region = new Intl.DisplayNames(tag, { type: 'region' });
    const list = (names: readonly string[]) => new Intl.ListFormat(tag, { type: 'conjunction' }).format(names);
    const named = (of: string, mode: string, names: readonly string[]) =>
      t(`cards.${of}.${mode}Is`, { names: list(names) });
    return [
      ...cardLimitNames.flatMap((name) => {
        const amount = limits[name];
        return amount === null ? [] : [{ term: t(`cards.limit.${name}`), value: amountLine(amount, asset) }];
      }),
      {
        term: t('cards.categories'),
        value:
          categories === null
            ? t('cards.categories.all')
            : named(
                'categories',
                categories.mode,
                categories.groups.map((group) => t(`cards.category.${group}`)),
              ),
      },
      {
        term: t('cards.countries'),
        value:
          countries === null
            ? t('cards.countries.all')
            : named(
                'countries',
                countries.mode,
                countries.codes.map((code) => region.of(code) ?? code),
              ),
      },
      { term: t('cards.online'), value: t(online ? 'cards.online.yes' : 'cards.online.no') },
    ];
  };
}
