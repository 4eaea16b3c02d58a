import { countries } from '@causeway/contract/countries.ts';
import { currencies, currencyCodes, isCurrency } from '@causeway/contract/currencies.ts';
import type { NamedInPolicy, PolicyDefinition } from '@causeway/contract/risk.ts';
import { riskWindows } from '@causeway/contract/risk-rules.ts';
import { useMemo } from 'react';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { useNamedOptions } from '../../organisation/index.ts';
import { useRiskChains } from '../api.ts';
import type { PolicyDraft } from '../policy-draft.ts';
import { hasWindow } from '../words.ts';
import { ManyField, SeveralField } from './several-field.tsx';

const mostDecimals = 18;

interface Props {
  fields: Fields<PolicyDraft, PolicyDefinition>;
  /** Whom the policy names, as it was read. */
  named: readonly NamedInPolicy[];
}

/** What a policy is about: the fields of its dimension, and the window where something is added up. */
export function ContentFields({ fields, named }: Props) {
  const t = useText();
  const { dimension } = fields.values;
  return (
    <>
      <Content fields={fields} named={named} />
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

function Content({ fields, named }: Props) {
  const t = useText();
  const tag = useLocaleTag();
  const chains = useRiskChains().data?.items ?? [];
  const coins = [...new Set(chains.flatMap((chain) => chain.coins.map(({ coin }) => coin)))];
  const regions = useMemo(() => regionOptions(tag), [tag]);
  const people = useNamedOptions();
  const gone = named.filter((each) => each.gone);
  const former = gone.map(({ id, name }) => ({ value: id, label: t('risk.policy.gone', { name }) }));
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
    case 'initiator':
      return (
        <ManyField
          label={t('risk.policy.members')}
          options={people.members}
          former={former}
          {...fields.value('members')}
        />
      );
    case 'department':
      return (
        <ManyField
          label={t('risk.policy.departments')}
          hint={t('risk.policy.departmentsHint')}
          options={people.departments}
          former={former}
          {...fields.value('departments')}
        />
      );
    case 'role':
      return (
        <ManyField label={t('risk.policy.roles')} options={people.roles} former={former} {...fields.value('roles')} />
      );
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

function Amounts({ fields, unit, decimals }: Pick<Props, 'fields'> & { unit: string; decimals: number }) {
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

function Counts({ fields }: Pick<Props, 'fields'>) {
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
