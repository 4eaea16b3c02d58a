import { languages } from '@causeway/contract/locale.ts';
import {
  payerNameMaxLength,
  paymentRequestNoteMaxLength,
  paymentRequestReferenceMaxLength,
  paymentRequestTitleMaxLength,
} from '@causeway/contract/payment-requests-rules.ts';
import { isoOf } from '../../../lib/days.ts';
import { useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { Field } from '../../../ui/field.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { Checkbox, TextArea, TextField } from '../../../ui/text-field.tsx';
import type { RequestOptions } from '../api.ts';
import {
  acceptable,
  decimalsOf,
  mayRemind,
  methodKey,
  offeredReminders,
  periods,
  pricingsOf,
  type ReadyRequest,
  type RequestValues,
  rateOf,
} from '../request-values.ts';
import { methodName, reminderLine } from '../words.ts';

export interface PartProps {
  fields: Fields<RequestValues, ReadyRequest>;
  options: RequestOptions | undefined;
}

/** What it is for, and whether it is paid once. */
export function SubjectFields({ fields }: PartProps) {
  const t = useText();
  return (
    <>
      <RadioField
        label={t('collections.field.kind')}
        options={[
          { value: 'single', label: t('collections.kind.single'), detail: t('collections.kind.singleHint') },
          { value: 'reusable', label: t('collections.kind.reusable'), detail: t('collections.kind.reusableHint') },
        ]}
        {...fields.value('kind')}
        onChange={(kind) => {
          fields.set('kind', kind);
          fields.set('period', kind === 'single' ? '24' : 'none');
          if (!pricingsOf(kind).includes(fields.values.pricing)) choosePricing(fields, pricingsOf(kind)[0] ?? 'coin');
        }}
      />
      <TextField
        label={t('collections.field.title')}
        hint={t('collections.form.titleHint')}
        maxLength={paymentRequestTitleMaxLength}
        autoComplete="off"
        {...fields.text('title')}
      />
      <TextField
        label={t('collections.field.reference')}
        hint={t('collections.form.referenceHint')}
        optional
        maxLength={paymentRequestReferenceMaxLength}
        autoComplete="off"
        {...fields.text('reference')}
      />
    </>
  );
}

function choosePricing(fields: PartProps['fields'], pricing: RequestValues['pricing']): void {
  fields.set('pricing', pricing);
  fields.set('asset', '');
  fields.set('amount', '');
  fields.set('accepted', []);
}

/** The amount, and the coins and chains on which it can be paid. */
export function AmountFields({ fields, options }: PartProps) {
  const t = useText();
  const { kind, pricing, asset } = fields.values;
  const assets = options === undefined ? [] : assetsOf(pricing, options);
  return (
    <>
      <RadioField
        label={t('collections.field.pricing')}
        options={pricingsOf(kind).map((value) => ({
          value,
          label: t(`collections.pricing.${value}`),
          detail: t(`collections.pricing.${value}Hint`),
        }))}
        {...fields.value('pricing')}
        onChange={(value) => value !== pricing && choosePricing(fields, value)}
      />
      {pricing !== 'open' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={t(pricing === 'coin' ? 'collections.field.coin' : 'collections.field.currency')}
            options={assets.map((value) => ({ value, label: value }))}
            disabled={options === undefined}
            {...fields.value('asset')}
            onChange={(value) => {
              fields.set('asset', value);
              const able = options === undefined ? [] : acceptable({ pricing, asset: value }, options);
              fields.set('accepted', able.map(methodKey));
            }}
          />
          <AmountField
            label={t('collections.field.amount')}
            coin={asset}
            decimals={options === undefined ? 18 : decimalsOf(fields.values, options)}
            disabled={asset === ''}
            {...fields.value('amount')}
          />
        </div>
      )}
      <AcceptedField fields={fields} options={options} />
    </>
  );
}

function assetsOf(pricing: RequestValues['pricing'], { accepted, currencies, rates }: RequestOptions): string[] {
  if (pricing === 'coin') return [...new Set(accepted.map(({ coin }) => coin))];
  return currencies
    .map(({ currency }) => currency)
    .filter((currency) => rates.some((rate) => rate.currency === currency));
}

function AcceptedField({ fields, options }: PartProps) {
  const t = useText();
  const { pricing, asset, accepted } = fields.values;
  const able = options === undefined ? [] : acceptable(fields.values, options);
  const isAsked = pricing === 'open' || asset !== '';
  return (
    <Field
      label={t('collections.field.accepted')}
      hint={t('collections.form.acceptedHint')}
      error={fields.error('accepted')}
      group
    >
      {(aria) => (
        <div className="flex flex-col gap-2.5" role="presentation" aria-describedby={aria['aria-describedby']}>
          {!isAsked && <p className="m-0 text-13 text-faint">{t('collections.form.assetFirst')}</p>}
          {isAsked && options !== undefined && able.length === 0 && (
            <p className="m-0 text-13 text-faint">{t('collections.form.noneAcceptable')}</p>
          )}
          {able.map((each) => {
            const key = methodKey(each);
            const rate = pricing === 'currency' && options ? rateOf(options, each.coin, asset) : null;
            return (
              <Checkbox
                key={key}
                checked={accepted.includes(key)}
                onChange={({ target }) =>
                  fields.set(
                    'accepted',
                    target.checked ? [...accepted, key] : accepted.filter((other) => other !== key),
                  )
                }
              >
                <span className="text-14 text-text">{methodName(each)}</span>
                {rate !== null && (
                  <span className="figures block text-12 text-faint">
                    {t('collections.rateIs', { coin: each.coin, rate: rateText(rate), currency: asset })}
                  </span>
                )}
              </Checkbox>
            );
          })}
        </div>
      )}
    </Field>
  );
}

/** Until when it can be paid, and when it is due. */
export function PeriodFields({ fields, options }: PartProps) {
  const t = useText();
  const { kind, pricing, period, dueOn } = fields.values;
  // The day and the end are checked against each other.
  const changeEnd = <N extends 'period' | 'until'>(name: N, value: RequestValues[N]) => {
    fields.set(name, value);
    if (dueOn !== '') fields.parts.recheck('dueOn');
  };
  const offered = periods.filter((value) => (value === 'none' ? kind === 'reusable' : true));
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField
        label={t('collections.field.period')}
        hint={t(pricing === 'currency' ? 'collections.form.periodHintRate' : 'collections.form.periodHint')}
        options={offered.map((value) => ({ value, label: t(`collections.period.${value}`) }))}
        {...fields.value('period')}
        onChange={(value) => changeEnd('period', value)}
      />
      {period === 'at' && (
        <TextField
          type="datetime-local"
          label={t('collections.field.until')}
          {...fields.text('until')}
          onChange={({ target }) => changeEnd('until', target.value)}
        />
      )}
      <TextField
        type="date"
        label={t('collections.field.dueOn')}
        hint={t('collections.form.dueHint', { zone: options?.timeZone ?? '' })}
        optional
        min={isoOf(new Date())}
        {...fields.text('dueOn')}
      />
    </div>
  );
}

/** Who pays: a mail with the link, reminders and a receipt go there. */
export function PayerFields({ fields }: PartProps) {
  const t = useText();
  const { reminderDays } = fields.values;
  const canRemind = mayRemind(fields.values);
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('collections.field.payerName')}
          optional
          maxLength={payerNameMaxLength}
          autoComplete="off"
          {...fields.text('payerName')}
        />
        <TextField
          type="email"
          label={t('collections.field.payerEmail')}
          hint={t('collections.form.payerEmailHint')}
          optional
          autoComplete="off"
          {...fields.text('payerEmail')}
        />
        <SelectField
          label={t('collections.field.payerLanguage')}
          options={languages.map((value) => ({ value, label: t(`collections.language.${value}`) }))}
          {...fields.value('payerLanguage')}
        />
      </div>
      <ReminderField
        days={reminderDays}
        onChange={(days) => fields.set('reminderDays', days)}
        canRemind={canRemind}
        error={fields.error('reminderDays')}
      />
      <TextArea
        label={t('collections.field.note')}
        hint={t('collections.form.noteHint')}
        optional
        maxLength={paymentRequestNoteMaxLength}
        {...fields.text('note')}
      />
    </>
  );
}

interface ReminderProps {
  days: readonly number[];
  onChange: (days: readonly number[]) => void;
  canRemind: boolean;
  error?: string | undefined;
}

/** The days on which the payer is reminded. */
export function ReminderField({ days, onChange, canRemind, error }: ReminderProps) {
  const t = useText();
  return (
    <Field
      label={t('collections.field.reminders')}
      hint={t(canRemind ? 'collections.form.remindersHint' : 'collections.form.remindersNeed')}
      error={error}
      optional
      group
    >
      {(aria) => (
        <div
          className="flex flex-wrap gap-x-6 gap-y-2.5"
          role="presentation"
          aria-describedby={aria['aria-describedby']}
        >
          {offeredReminders.map((day) => (
            <Checkbox
              key={day}
              checked={canRemind && days.includes(day)}
              disabled={!canRemind}
              onChange={({ target }) =>
                onChange(
                  (target.checked ? [...days, day] : days.filter((other) => other !== day)).toSorted((a, b) => a - b),
                )
              }
            >
              {reminderLine(t, day)}
            </Checkbox>
          ))}
        </div>
      )}
    </Field>
  );
}

/** How much less or more than the amount counts as all of it. */
export function ToleranceFields({ fields, options }: PartProps) {
  const t = useText();
  const { toleranceIn, asset, pricing } = fields.values;
  if (pricing === 'open') return null;
  return (
    <details className="rounded-6 border border-line px-4 py-3" open={toleranceIn !== 'none' || undefined}>
      <summary className="cursor-pointer text-13 font-medium">{t('collections.form.more')}</summary>
      <div className="mt-4 grid gap-4 sm:grid-cols-2">
        <SelectField
          label={t('collections.field.tolerance')}
          hint={t('collections.form.toleranceHint')}
          options={(['none', 'percent', 'units'] as const).map((value) => ({
            value,
            label: t(`collections.tolerance.${value}`, { asset }),
          }))}
          {...fields.value('toleranceIn')}
          onChange={(value) => {
            fields.set('toleranceIn', value);
            fields.set('tolerance', '');
          }}
        />
        {toleranceIn !== 'none' && (
          <AmountField
            label={t('collections.field.toleranceAmount')}
            coin={toleranceIn === 'percent' ? '%' : asset}
            decimals={toleranceIn === 'percent' || options === undefined ? 2 : decimalsOf(fields.values, options)}
            {...fields.value('tolerance')}
          />
        )}
      </div>
    </details>
  );
}
