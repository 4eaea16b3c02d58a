import type { Output } from '@causeway/contract/call.ts';
import type { listOperatorAssets } from '@causeway/contract/operator-prices.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import type { SwitchStep } from './switch-dialog.tsx';
import { SwitchState } from './switch-state.tsx';

interface Props {
  bank: Output<typeof listOperatorAssets>['banks'][number];
  mayChange: boolean;
  onStep: (step: SwitchStep) => void;
}

/** The currencies of a bank: recharges and payments in each, on or off. */
export function BankSwitches({ bank: { bank, name, currencies }, mayChange, onStep }: Props) {
  const t = useText();
  return (
    <Card flush title={name}>
      <ul aria-label={name} className="m-0 list-none p-0">
        {currencies.map(({ currency, configured, payouts, rechargesOff, payoutsOff, waiting }) => (
          <li
            key={currency}
            className="grid items-start gap-x-6 gap-y-3 border-line px-5 py-3 not-last:border-b md:grid-cols-[1fr_1fr_1fr]"
          >
            <div className="flex min-w-0 flex-col">
              <span className="font-medium">{currency}</span>
              {waiting > 0 && (
                <span className="text-12 text-faint">{t('ops.assets.paymentsWaiting', { count: waiting })}</span>
              )}
            </div>
            {configured ? (
              (['payouts', 'recharges'] as const).map((what) => {
                const off = what === 'payouts' ? payoutsOff : rechargesOff;
                if (what === 'payouts' && !payouts) {
                  return (
                    <span key={what} className="text-13 text-faint">
                      {t('ops.assets.noPayouts')}
                    </span>
                  );
                }
                return (
                  <SwitchState
                    key={what}
                    label={t(`ops.switch.${what}`)}
                    name={`${currency} · ${name}`}
                    off={off}
                    {...(mayChange && {
                      onChange: () => onStep({ place: bank, placeName: name, coin: currency, what, off, waiting }),
                    })}
                  />
                );
              })
            ) : (
              <span className="text-13 text-faint">{t('ops.assets.notConfigured')}</span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
