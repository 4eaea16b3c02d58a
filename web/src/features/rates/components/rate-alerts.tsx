import type { RateAlert } from '@causeway/contract/alerts.ts';
import type { RatePair } from '@causeway/contract/rates.ts';
import { mostRateAlerts, type RateDirection } from '@causeway/contract/rates-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { toast } from '../../../lib/toasts.ts';
import { AmountField } from '../../../ui/amount-field.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { RadioField } from '../../../ui/radio-field.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useAddRateAlert, useRateAlerts, useRemoveRateAlert } from '../api.ts';

/** As many as a rate can be written with. */
const decimals = 18;

/** The person's own alerts of a pair, and the form to set one. */
export function RateAlerts({ pair }: { pair: RatePair }) {
  const t = useText();
  const alerts = useRateAlerts();
  const { data, error } = alerts;
  if (data === undefined && error !== null) {
    return <ErrorState error={error} onRetry={() => void alerts.refetch()} />;
  }
  const own = data?.items.filter(({ sell, buy }) => sell === pair.sell && buy === pair.buy) ?? [];
  const open = data?.items.filter(({ firedAt }) => firedAt === null).length ?? 0;
  return (
    <Loading loading={data === undefined} skeleton={<Skeleton width="w-48" />}>
      {own.length === 0 ? (
        <p className="m-0 text-13 text-faint">{t('rates.alerts.none')}</p>
      ) : (
        <ul className="m-0 list-none rounded-6 border border-line p-0">
          {own.map((alert) => (
            <li key={alert.id} className="border-b border-line px-4 py-2.5 last:border-b-0">
              <Line alert={alert} />
            </li>
          ))}
        </ul>
      )}
      {pair.rate === null ? null : open >= mostRateAlerts ? (
        <p className="m-0 text-13 text-muted">{t('rates.alerts.most', { most: mostRateAlerts })}</p>
      ) : (
        <NewAlert sell={pair.sell} buy={pair.buy} />
      )}
    </Loading>
  );
}

function Line({ alert: { id, buy, direction, value, firedAt, firedRate } }: { alert: RateAlert }) {
  const t = useText();
  const remove = useRemoveRateAlert();
  const said = t(`rates.alerts.${direction}`, { rate: amountLine(value, buy) });
  return (
    <div className="flex items-center justify-between gap-4">
      <span className="min-w-0">
        <span className="figures block text-14">{said}</span>
        {firedAt !== null && firedRate !== null && (
          <span className="figures block text-12 text-faint">
            {t('rates.alerts.done', { rate: amountLine(firedRate, buy) })} <Time at={firedAt} />
          </span>
        )}
      </span>
      <Button size="small" busy={remove.isPending} onClick={() => remove.mutate({ params: { id } })}>
        {t('rates.alerts.remove')}
        <span className="sr-only"> {said}</span>
      </Button>
    </div>
  );
}

function NewAlert({ sell, buy }: { sell: string; buy: string }) {
  const t = useText();
  const [direction, setDirection] = useState<RateDirection>('above');
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const add = useAddRateAlert(() => {
    setTyped('');
    toast('success', t('rates.alerts.added'));
  });
  const value = typed.replace(/\.$/, '');
  return (
    <form
      className="flex flex-col gap-4"
      noValidate
      aria-label={t('rates.alerts.new')}
      onSubmit={(event) => {
        event.preventDefault();
        const isUsable = /[1-9]/.test(value);
        setWrong(!isUsable);
        if (isUsable) add.mutate({ body: { id: newId(), sell, buy, direction, value } });
      }}
    >
      <RadioField
        label={t('rates.alerts.when', { sell })}
        value={direction}
        onChange={setDirection}
        options={[
          { value: 'above', label: t('rates.alerts.rises') },
          { value: 'below', label: t('rates.alerts.falls') },
        ]}
      />
      <AmountField
        label={t('rates.alerts.value', { sell })}
        value={typed}
        onChange={setTyped}
        coin={buy}
        decimals={decimals}
        error={isWrong && !/[1-9]/.test(value) ? t('rates.alerts.valueMissing') : undefined}
      />
      <span>
        <Button type="submit" kind="primary" busy={add.isPending}>
          {t('rates.alerts.add')}
        </Button>
      </span>
    </form>
  );
}
