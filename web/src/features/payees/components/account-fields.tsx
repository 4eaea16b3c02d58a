import { plainField } from '@causeway/contract/bank-fields.ts';
import type { BankField } from '@causeway/contract/bank-rules.ts';
import { currencyCodes } from '@causeway/contract/currencies.ts';
import { type ReactNode, useMemo } from 'react';
import { useLocaleTag, useText } from '../../../lib/locale.tsx';
import { ComboboxField } from '../../../ui/combobox-field.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { type AccountValues, choicesByLabel, isAddressField, waysOf } from '../account-values.ts';
import { useCountryChoices } from '../countries.ts';

interface Props<Values extends AccountValues> {
  fields: Fields<Values, unknown>;
}

/** What an account needs: the fields of the country, the currency and the way, in that country's words (`bank-rules.ts`). */
export function AccountFields<Values extends AccountValues>({ fields: given }: Props<Values>) {
  const t = useText();
  // What a form adds to the values is not looked at here.
  const fields = given as unknown as Fields<AccountValues, unknown>;
  const { values } = fields;
  const countries = useCountryChoices();
  const currencies = useCurrencies();
  const ways = waysOf(values);
  const way = ways.find(({ id }) => id === values.way);

  /** Another place has ways of its own: the first of them, unless the chosen one is there too. */
  const choose = (change: Partial<Pick<AccountValues, 'holder' | 'country' | 'currency'>>) => {
    for (const [name, value] of Object.entries(change)) fields.set(name as 'country', value);
    const offered = waysOf({ ...values, ...change });
    if (!offered.some(({ id }) => id === values.way)) fields.set('way', offered[0]?.id ?? '');
  };
  return (
    <>
      <RadioField
        label={t('payees.bank.holder')}
        options={(['enterprise', 'personal'] as const).map((value) => ({
          value,
          label: t(`payees.bank.holder.${value}`),
        }))}
        {...fields.value('holder')}
        onChange={(holder) => choose({ holder })}
      />
      {values.holder === 'enterprise' ? (
        <TextField label={t('payees.bank.enterpriseName')} maxLength={140} {...fields.text('enterpriseName')} />
      ) : (
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label={t('payees.bank.firstName')} maxLength={60} {...fields.text('firstName')} />
          <TextField label={t('payees.bank.lastName')} maxLength={60} {...fields.text('lastName')} />
        </div>
      )}
      <div className="grid gap-5 sm:grid-cols-2">
        <ComboboxField
          label={t('payees.bank.country')}
          placeholder={t('payees.bank.countryPlaceholder')}
          options={countries}
          {...fields.value('country')}
          onChange={(country) => choose({ country })}
        />
        <SelectField
          label={t('payees.bank.currency')}
          placeholder={t('payees.bank.currencyPlaceholder')}
          options={currencies}
          {...fields.value('currency')}
          onChange={(currency) => choose({ currency })}
        />
      </div>
      {ways.length > 1 && (
        <SelectField
          label={t('payees.bank.way')}
          options={ways.map(({ id }) => ({ value: id, label: t(`payees.bank.way.${id}`) }))}
          {...fields.value('way')}
        />
      )}
      {way ? (
        <>
          <Group title={t('payees.bank.accountGroup')}>
            {way.fields
              .filter(({ name }) => !isAddressField(name))
              .map((field) => (
                <AccountField key={field.name} field={field} fields={fields} />
              ))}
          </Group>
          {way.fields.some(({ name }) => isAddressField(name)) && (
            <Group title={t('payees.bank.addressGroup')}>
              {way.fields
                .filter(({ name }) => isAddressField(name))
                .map((field) => (
                  <AccountField key={field.name} field={field} fields={fields} />
                ))}
            </Group>
          )}
        </>
      ) : (
        <p className="m-0 text-13 text-faint">{t('payees.bank.accountFirst')}</p>
      )}
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="m-0 flex min-w-0 flex-col gap-5 border-0 p-0">
      <legend className="mb-3 p-0 text-14 font-semibold">{title}</legend>
      {children}
    </fieldset>
  );
}

function AccountField({ field, fields }: { field: BankField; fields: Fields<AccountValues, unknown> }) {
  const t = useText();
  const countries = useCountryChoices();
  const { name, label, required, unless, ofResidents, check } = field;
  const { holder, country, addressCountry } = fields.values;
  const isAsked =
    (required === true || required === holder) && !(ofResidents && addressCountry !== '' && addressCountry !== country);
  const isReplaced = unless !== undefined && fields.values[unless].trim() !== '';
  const frame = { label: t(`bank.label.${label}`), optional: !isAsked || isReplaced };
  if (name === 'addressCountry') {
    return (
      <ComboboxField
        {...frame}
        placeholder={t('payees.bank.sameCountry')}
        options={countries}
        {...fields.value(name)}
      />
    );
  }
  // While one types, before the field is left and what is wrong becomes an error.
  const typed = plainField(name, fields.values[name]);
  const problem = typed === '' ? null : check(typed, country, addressCountry || country);
  const choices = choicesByLabel[label];
  if (choices !== undefined) {
    const kind = name === 'purpose' ? 'purpose' : 'type';
    return (
      <SelectField
        {...frame}
        placeholder={t(kind === 'purpose' ? 'payees.bank.choosePurpose' : 'payees.bank.chooseType')}
        options={choices.map((value) => ({
          value,
          label: kind === 'purpose' ? t(`payees.bank.purpose.${value}`) : t(`payees.bank.type.${value}`),
        }))}
        {...fields.value(name)}
      />
    );
  }
  return (
    <TextField
      {...frame}
      hint={problem !== null && fields.error(name) === undefined && t(`bank.detail.${problem}`)}
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={140}
      {...fields.text(name)}
    />
  );
}

/** Each with its name in the reader's language. */
function useCurrencies() {
  const tag = useLocaleTag();
  return useMemo(() => {
    const names = new Intl.DisplayNames(tag, { type: 'currency' });
    return currencyCodes.map((value) => ({ value: value as string, label: `${value} · ${names.of(value) ?? value}` }));
  }, [tag]);
}
