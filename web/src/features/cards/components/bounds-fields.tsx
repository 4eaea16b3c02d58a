import { cardLimitNames, merchantGroupNames } from '@causeway/contract/cards-rules.ts';
import { countries } from '@causeway/contract/countries.ts';
import { useMemo } from 'react';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { Field } from '../../../ui/field.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { Checkbox } from '../../../ui/text-field.tsx';
import { ManyField } from '../../risk/index.ts';
import type { BoundsValues } from '../bounds-values.ts';

interface Props {
  fields: Fields<BoundsValues, BoundsValues>;
  asset: string;
  decimals: number;
}

/** Limits, categories, countries, and whether a card pays online. */
export function BoundsFields({ fields, asset, decimals }: Props) {
  const t = useText();
  const regions = useCountries();
  const { categoryMode, groups, countryMode } = fields.values;
  const modes = (of: string) =>
    (['all', 'allow', 'deny'] as const).map((value) => ({ value, label: t(`cards.${of}.${value}`) }));
  const toggle = (group: string) =>
    fields.set('groups', groups.includes(group) ? groups.filter((other) => other !== group) : [...groups, group]);
  return (
    <>
      <Field label={t('cards.limits')} hint={t('cards.limits.hint')} group>
        {() => (
          <div className="grid gap-4 sm:grid-cols-2">
            {cardLimitNames.map((name) => (
              <AmountField
                key={name}
                label={t(`cards.limit.${name}`)}
                optional
                coin={asset}
                decimals={decimals}
                {...fields.value(name)}
              />
            ))}
          </div>
        )}
      </Field>
      <RadioField label={t('cards.categories')} options={modes('categories')} {...fields.value('categoryMode')} />
      {categoryMode !== 'all' && (
        <Field label={t('cards.categories.chosen')} error={fields.error('groups')} group>
          {() => (
            <div className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-3">
              {merchantGroupNames.map((group) => (
                <Checkbox key={group} name="groups" checked={groups.includes(group)} onChange={() => toggle(group)}>
                  {t(`cards.category.${group}`)}
                </Checkbox>
              ))}
            </div>
          )}
        </Field>
      )}
      <RadioField label={t('cards.countries')} options={modes('countries')} {...fields.value('countryMode')} />
      {countryMode !== 'all' && (
        <ManyField label={t('cards.countries.chosen')} options={regions} {...fields.value('codes')} />
      )}
      <Checkbox {...fields.box('online')}>{t('cards.online.allow')}</Checkbox>
    </>
  );
}

/** Countries by their names in the reader's language. */
export function useCountries() {
  const tag = useLocaleTag();
  return useMemo(() => {
    const names = new Intl.DisplayNames(tag, { type: 'region' });
    const collator = new Intl.Collator(tag);
    return countries
      .map((code) => ({ value: code, label: names.of(code) ?? code }))
      .sort((one, other) => collator.compare(one.label, other.label));
  }, [tag]);
}
