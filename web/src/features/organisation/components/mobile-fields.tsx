import { callingCodes } from '@causeway/contract/calling-codes.ts';
import { useMemo, useState } from 'react';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { TextField } from '../../../ui/text-field.tsx';
import type { MemberValues } from '../member-values.ts';

/** Where most numbers are: offered first, the rest by name. */
const first = ['HK', 'CN', 'MO', 'SG', 'TW', 'US', 'GB'];

/** A mobile number with its country or region code; several regions share one, so that the choice is of the region. */
export function MobileFields({ fields }: { fields: Fields<MemberValues, unknown> }) {
  const t = useText();
  const tag = useLocaleTag();
  const options = useMemo(() => regionOptions(tag), [tag]);
  const bound = fields.value('mobileCountryCode');
  const [chosen, setChosen] = useState('');
  const region = codeOf(chosen) === bound.value ? chosen : regionOf(bound.value);
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <ComboboxField
        {...bound}
        label={t('organisation.field.countryCode')}
        placeholder={t('organisation.member.chooseCode')}
        options={options}
        value={region}
        onChange={(next) => {
          setChosen(next);
          bound.onChange(codeOf(next));
        }}
      />
      <TextField
        label={t('organisation.field.mobile')}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        maxLength={32}
        {...fields.text('mobile')}
      />
    </div>
  );
}

function regionOptions(tag: string) {
  const names = new Intl.DisplayNames(tag, { type: 'region' });
  const collator = new Intl.Collator(tag);
  const options = callingCodes.map(({ region, code }) => ({
    value: region,
    label: `${names.of(region) ?? region} +${code}`,
  }));
  const rank = (region: string) => (first.includes(region) ? first.indexOf(region) : first.length);
  return options.sort((a, b) => rank(a.value) - rank(b.value) || collator.compare(a.label, b.label));
}

function codeOf(region: string): string {
  return callingCodes.find((entry) => entry.region === region)?.code ?? '';
}

/** A region that has the code; of several the one offered first. */
function regionOf(code: string): string {
  const regions = callingCodes.filter((entry) => entry.code === code).map(({ region }) => region);
  return first.find((region) => regions.includes(region)) ?? regions[0] ?? '';
}
