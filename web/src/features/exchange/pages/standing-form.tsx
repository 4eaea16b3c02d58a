import { exchangeTolerances } from '@causeway/contract/exchange-rules.ts';
import { standingPeriods, standingRules } from '@causeway/contract/standing-orders-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { AmountField } from '../../../ui/amount-field.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Form } from '../../../ui/form.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { RadioField } from '../../../ui/radio-field.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { ErrorState, NoPermission } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { TransferCode } from '../../transfers/index.ts';
import { useStandingForm } from '../components/use-standing-form.ts';

/** A new standing order, for those who may exchange. */
export function Page() {
  if (usePermission('exchange.create') !== false) return <StandingForm />;
  return (
    <CardPage narrow>
      <NoPermission />
    </CardPage>
  );
}

const weekdays = ['1', '2', '3', '4', '5', '6', '7'];
const monthdays = Array.from({ length: 31 }, (_, index) => String(index + 1));

function StandingForm() {
  const t = useText();
  const { fields, options, wallets, sold, bought, code, submit } = useStandingForm();
  const { values } = fields;
  if (options.data === undefined && options.error !== null) {
    return (
      <CardPage narrow>
        <ErrorState error={options.error} onRetry={() => void options.refetch()} />
      </CardPage>
    );
  }
  const walletOptions = wallets.map(({ walletId, asset, placeName, available }) => ({
    value: walletId,
    label: `${asset} · ${placeName}`,
    detail: t('exchanges.standing.available', { amount: amountLine(available, asset) }),
  }));
  return (
    <Frame narrow intro={t('exchanges.standing.intro')}>
      <Card>
        <Form fields={fields} onSubmit={submit} label={t('exchanges.standing.new')}>
          <div className="grid gap-5 sm:grid-cols-2">
            <SelectField
              label={t('exchanges.standing.from')}
              placeholder={t('exchanges.standing.choose')}
              disabled={wallets.length === 0}
              options={walletOptions}
              {...fields.value('sellWalletId')}
            />
            <SelectField
              label={t('exchanges.standing.to')}
              placeholder={t('exchanges.standing.choose')}
              disabled={wallets.length === 0}
              options={walletOptions}
              {...fields.value('buyWalletId')}
            />
          </div>
          <RadioField
            label={t('exchanges.standing.rule')}
            options={standingRules.map((rule) => ({
              value: rule,
              label: t(`exchanges.standing.rule.${rule}`),
              detail: t(`exchanges.standing.rule.${rule}Text`),
            }))}
            {...fields.value('rule')}
          />
          <AmountField
            label={t(`exchanges.standing.amount.${values.rule}`)}
            coin={sold?.asset ?? ''}
            decimals={sold?.decimals ?? 18}
            disabled={sold === undefined}
            {...(sold && { hint: t('exchanges.standing.minimum', { minimum: amountLine(sold.minimum, sold.asset) }) })}
            {...fields.value('amount')}
          />
          <div className="grid gap-5 sm:grid-cols-3">
            <SelectField
              label={t('exchanges.standing.every')}
              options={standingPeriods.map((period) => ({
                value: period,
                label: t(`exchanges.standing.every.${period}`),
              }))}
              {...fields.value('every')}
            />
            {values.every === 'week' && (
              <SelectField
                label={t('exchanges.standing.weekday')}
                options={weekdays.map((day) => ({ value: day, label: t(`exchanges.weekday.${day}`) }))}
                {...fields.value('weekday')}
              />
            )}
            {values.every === 'month' && (
              <SelectField
                label={t('exchanges.standing.monthday')}
                hint={t('exchanges.standing.monthdayHint')}
                options={monthdays.map((day) => ({ value: day, label: day }))}
                {...fields.value('monthday')}
              />
            )}
            <TextField
              type="time"
              label={t('exchanges.standing.time')}
              hint={t('exchanges.standing.timeHint')}
              {...fields.text('time')}
            />
          </div>
          <div className="grid gap-5 sm:grid-cols-2">
            <SelectField
              label={t('exchanges.standing.tolerance')}
              hint={t('exchanges.standing.toleranceHint')}
              options={exchangeTolerances.map((basisPoints) => ({
                value: String(basisPoints),
                label: t('exchanges.standing.percent', { percent: basisPoints / 100 }),
              }))}
              {...fields.value('tolerance')}
            />
            <TextField
              type="date"
              label={t('exchanges.standing.lastDay')}
              optional
              hint={t('exchanges.standing.lastDayHint')}
              {...fields.text('lastDay')}
            />
          </div>
          <TransferCode {...code} code={fields.value('code')} />
          <div className="flex flex-wrap justify-end gap-2 border-t border-line pt-5">
            <PlainLink href="/app/wallet/exchange/planned" className={buttonClass('secondary', 'large')}>
              {t('exchanges.standing.back')}
            </PlainLink>
            <Button type="submit" kind="primary" size="large" busy={fields.submitting}>
              {sold === undefined || bought === undefined
                ? t('exchanges.standing.submit')
                : t('exchanges.standing.submitOf', { sold: sold.asset, bought: bought.asset })}
            </Button>
          </div>
        </Form>
      </Card>
    </Frame>
  );
}
