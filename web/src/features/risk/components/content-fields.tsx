import { currencies, currencyCodes, isCurrency } from '@causeway/contract/currencies.ts';
import type { PolicyDefinition } from '@causeway/contract/risk.ts';
import { countries, riskWindows } from '@causeway/contract/risk-rules.ts';
import { useMemo } from 'react';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useRiskChains } from '../api.ts';
import type { PolicyDraft } from '../policy-draft.ts';
import { hasWindow } from '../words.ts';
import { ManyField, SeveralField } from './several-field.tsx';

const mostDecimals = 18;

interface Props {
  fields: Fields<PolicyDraft, PolicyDefinition>;
}

/** What a policy is about: the fields of its dimension, and the window where something is added up. */
export function ContentFields({ fields }: Props) {
  const t = useText();
  const { dimension } = fields.values;
  return (
    <>
      <Content fields={fields} />
      {hasWindow(dimension) && (
        <RadioField
          label={t('risk.policy.window')}
          hint={t('risk.policy.windowHint')}
          options={riskWindows.map((value) => ({ value, label: t(`risk.window.${value}`) }))}
          {...fields.value('window')}
        />
      )}
    </>
  );
}

function Content({ fields }: Props) {
  const t = useText();
  const tag = useLocaleTag();
  const chains = useRiskChains().data?.items ?? [];
  const coins = [...new Set(chains.flatMap((chain) => chain.coins.map(({ coin }) => coin)))];
  const regions = useMemo(() => regionOptions(tag), [tag]);
  const { values } = fields;
  switch (values.dimension) {
    case 'chain':
      return (
        <SeveralField
          label={t('risk.policy.chains')}
          options={chains.map(({ id, name }) => ({ value: id, label: name }))}
          {...fields.value('chains')}
        />
      );
    case 'coin':
      return <SeveralField label={t('risk.policy.coins')} options={plain(coins)} {...fields.value('coins')} />;
    case 'fiat_currency':
      return (
        <SeveralField
          label={t('risk.policy.currencies')}
          options={plain(currencyCodes)}
          {...fields.value('currencies')}
        />
      );
    case 'payment_region':
      return <ManyField label={t('risk.policy.countries')} options={regions} {...fields.value('countries')} />;
    case 'crypto_quantity':
      return (
        <>
          <SelectField label={t('risk.policy.coin')} options={plain(coins)} {...fields.value('coin')} />
          <Amounts fields={fields} unit={values.coin} decimals={mostDecimals} />
        </>
      );
    case 'fiat_amount':
      return (
        <>
          <SelectField label={t('risk.policy.currency')} options={plain(currencyCodes)} {...fields.value('currency')} />
          <Amounts fields={fields} unit={values.currency} decimals={decimalsOf(values.currency)} />
        </>
      );
    case 'crypto_value':
      return <Amounts fields={fields} unit="USD" decimals={2} />;
    case 'crypto_frequency':
    case 'fiat_frequency':
      return <Counts fields={fields} />;
  }
}

/** As long as no currency is chosen, as many as any has. */
function decimalsOf(currency: string): number {
  return isCurrency(currency) ? currencies[currency].decimals : 2;
}

function plain(values: readonly string[]) {
  return values.map((value) => ({ value, label: value }));
}

function Amounts({ fields, unit, decimals }: Props & { unit: string; decimals: number }) {
  const t = useText();
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <AmountField
        label={t('risk.policy.from')}
        hint={t('risk.policy.fromHint')}
        coin={unit}
        decimals={decimals}
        {...fields.value('from')}
      />
      <AmountField
        label={t('risk.policy.to')}
        hint={t('risk.policy.toHint')}
        optional
        coin={unit}
        decimals={decimals}
        {...fields.value('to')}
      />
    </div>
  );
}

function Counts({ fields }: Props) {
  const t = useText();
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        label={t('risk.policy.countFrom')}
        hint={t('risk.policy.fromHint')}
        inputMode="numeric"
        autoComplete="off"
        {...fields.text('from')}
      />
      <TextField
        label={t('risk.policy.countTo')}
        hint={t('risk.policy.toHint')}
        optional
        inputMode="numeric"
        autoComplete="off"
        {...fields.text('to')}
      />
    </div>
  );
}

function regionOptions(tag: string) {
  const names = new Intl.DisplayNames(tag, { type: 'region' });
  const collator = new Intl.Collator(tag);
  return countries
    .map((code) => ({ value: code, label: names.of(code) ?? code }))
    .sort((one, other) => collator.compare(one.label, other.label));
}
