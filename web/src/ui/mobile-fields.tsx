import { callingCodes } from '@causeway/contract/calling-codes.ts';
import { useMemo, useState } from 'react';
import { useLocaleTag, useText } from '../lib/locale.tsx';
import { ComboboxField } from './combobox-field.tsx';
import { TextField } from './text-field.tsx';

/** Where most numbers are: offered first, the rest by name. */
const first = ['HK', 'CN', 'MO', 'SG', 'TW', 'US', 'GB'];

interface Bound {
  value: string;
  onBlur: () => void;
  error: string | undefined;
}

interface Props {
  /** Digits without the plus sign. */
  code: Bound & { onChange: (code: string) => void };
  number: Bound & { onChange: (number: string) => void };
  optional?: boolean;
  /** Whose number it is: the browser fills in one's own. */
  own?: boolean;
}

/** A mobile number with its country or region code. Several regions share a code, so that the choice is of the region. */
export function MobileFields({ code, number, optional = false, own = false }: Props) {
  const t = useText();
  const tag = useLocaleTag();
  const options = useMemo(() => regionOptions(tag), [tag]);
  const [chosen, setChosen] = useState('');
  return (
    <div className="grid items-start gap-5 sm:grid-cols-2">
      <ComboboxField
        label={t('ui.mobile.code')}
        placeholder={t('ui.mobile.choose')}
        options={options}
        value={codeOf(chosen) === code.value ? chosen : regionOf(code.value)}
        onChange={(region) => {
          setChosen(region);
          code.onChange(codeOf(region));
        }}
        onBlur={code.onBlur}
        error={code.error}
        optional={optional}
      />
      <TextField
        label={t('ui.mobile.number')}
        type="tel"
        inputMode="tel"
        autoComplete={own ? 'tel-national' : 'off'}
        maxLength={32}
        value={number.value}
        onChange={(event) => number.onChange(event.target.value)}
        onBlur={number.onBlur}
        error={number.error}
        optional={optional}
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
  return options.sort((one, other) => rank(one.value) - rank(other.value) || collator.compare(one.label, other.label));
}

function codeOf(region: string): string {
  return callingCodes.find((entry) => entry.region === region)?.code ?? '';
}

/** A region that has the code; of several the one offered first. */
function regionOf(code: string): string {
  const regions = callingCodes.filter((entry) => entry.code === code).map(({ region }) => region);
  return first.find((region) => regions.includes(region)) ?? regions[0] ?? '';
}
