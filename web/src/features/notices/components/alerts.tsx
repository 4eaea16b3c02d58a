import type { ChosenAlerts } from '@causeway/contract/alerts.ts';
import type { Alert } from '@causeway/contract/alerts-rules.ts';
import { type ReactNode, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Card } from '../../../ui/card.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { ErrorState, Loading } from '../../../ui/states.tsx';
import { Checkbox } from '../../../ui/text-field.tsx';
import { useAlerts, useSetAlerts } from '../alerts-api.ts';
import { AmountSetting } from './amount-setting.tsx';
import { RowShapes } from './row-shapes.tsx';
import { WalletThresholds } from './wallet-thresholds.tsx';

/** What one wants to be alerted of, by a notice and a mail. Each choice takes effect at once. */
export function Alerts() {
  const t = useText();
  const alerts = useAlerts();
  const { data, error } = alerts;
  if (data === undefined && error !== null) {
    return (
      <Card title={t('notices.alerts')}>
        <ErrorState error={error} onRetry={() => void alerts.refetch()} />
      </Card>
    );
  }
  return (
    <Card title={t('notices.alerts')} flush>
      <Loading loading={data === undefined} skeleton={<RowShapes rows={4} />}>
        {data && <Choices chosen={data} />}
      </Loading>
    </Card>
  );
}

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

function Choices({ chosen }: { chosen: ChosenAlerts }) {
  const t = useText();
  const set = useSetAlerts(() => toast('success', t('notices.mail.saved')));
  // A tick shows at once, and goes back when the server refuses it.
  const [ticked, setTicked] = useState<Partial<Record<Alert, boolean>>>({});
  const choose = (alert: Alert, on: boolean) => {
    setTicked((others) => ({ ...others, [alert]: on }));
    const forget = () => setTicked(({ [alert]: _, ...others }) => others);
    set.mutate({ body: { on: { [alert]: on } } }, { onError: forget });
  };
  const settings: Partial<Record<Alert, ReactNode>> = {
    lowBalance: <WalletThresholds />,
    largeIncoming: (
      <AmountSetting
        label={t('notices.alert.largeIncoming.from')}
        value={chosen.largeIncomingUsd}
        coin="USD"
        decimals={2}
        busy={set.isPending}
        onSave={(amount) => set.mutate({ body: { largeIncomingUsd: amount } })}
      />
    ),
    dailyDigest: (
      <div className="flex flex-col gap-3">
        <div className="max-w-60">
          <SelectField
            label={t('notices.alert.dailyDigest.hour')}
            hint={t('notices.alert.dailyDigest.zone', { zone: chosen.timeZone })}
            options={hours}
            value={String(chosen.digestHour)}
            onChange={(hour) => set.mutate({ body: { digestHour: Number(hour) } })}
          />
        </div>
        <Checkbox
          checked={chosen.digestAlways}
          onChange={(event) => set.mutate({ body: { digestAlways: event.target.checked } })}
        >
          {t('notices.alert.dailyDigest.always')}
        </Checkbox>
      </div>
    ),
  };
  return (
    <>
      <p className="m-0 border-b border-line px-5 py-4 text-13 text-muted">{t('notices.alerts.intro')}</p>
      <ul className="m-0 list-none p-0">
        {chosen.alerts.map(({ alert, on, allowed }) => {
          const isOn = ticked[alert] ?? on;
          return (
            <li key={alert} className="flex flex-col gap-4 border-b border-line px-5 py-4 last:border-b-0">
              <label className="flex items-start justify-between gap-4">
                <span className="min-w-0">
                  <span className="block font-medium">{t(`notices.alert.${alert}`)}</span>
                  <span className="block text-13 text-muted">
                    {t(allowed ? `notices.alert.${alert}.text` : 'notices.alerts.notAllowed')}
                  </span>
                </span>
                <input
                  type="checkbox"
                  checked={isOn}
                  disabled={!allowed && !isOn}
                  onChange={(event) => choose(alert, event.target.checked)}
                  className="mt-1 size-4 shrink-0 accent-accent"
                />
              </label>
              {isOn && allowed && settings[alert]}
            </li>
          );
        })}
      </ul>
    </>
  );
}
