import type { Output } from '@causeway/contract/call.ts';
import type { listOperatorAssets } from '@causeway/contract/operator-prices.ts';
import { lazy, Suspense, useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Address } from '../../../ui/address.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useAssets } from '../api.ts';
import { BankSwitches } from '../components/bank-switches.tsx';
import type { SwitchStep } from '../components/switch-dialog.tsx';
import { SwitchState } from '../components/switch-state.tsx';

// Dialogs weigh more than the page itself, and most visits open none.
const SwitchDialog = lazy(async () => ({ default: (await import('../components/switch-dialog.tsx')).SwitchDialog }));

type Assets = Output<typeof listOperatorAssets>;
type Chain = Assets['items'][number];

/** Chains with their coins, banks with their currencies: what is on, what is off, since when and why. */
export function Page() {
  const t = useText();
  const read = useAssets();
  const mayChange = usePermission('operator.price') === true;
  const [step, setStep] = useState<SwitchStep | null>(null);
  const chains = read.data?.items;
  const isChanged = step !== null && read.data !== undefined && offNow(step, read.data) !== (step.off?.id ?? null);
  const banks = read.data?.banks;
  return (
    <Frame intro={t('ops.assets.intro')}>
      {chains === undefined && read.error !== null ? (
        <Card>
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        </Card>
      ) : (
        <Loading loading={chains === undefined} skeleton={<Skeleton height="h-96" />}>
          {chains?.length === 0 && banks?.length === 0 && (
            <Card>
              <EmptyState icon="wallet" title={t('ops.assets.empty')} text={t('ops.assets.emptyText')} />
            </Card>
          )}
          <div className="flex flex-col gap-6">
            {chains?.map((chain) => (
              <ChainCard key={chain.chain} chain={chain} mayChange={mayChange} onStep={setStep} />
            ))}
            {banks?.map((bank) => (
              <BankSwitches key={bank.bank} bank={bank} mayChange={mayChange} onStep={setStep} />
            ))}
          </div>
        </Loading>
      )}
      {step !== null && (
        <Suspense>
          <SwitchDialog step={step} over={isChanged ? t('ops.over.changed') : null} onClose={() => setStep(null)} />
        </Suspense>
      )}
    </Frame>
  );
}

/** The id of what has switched it off by now; null while it is on. */
function offNow({ place, coin, what }: SwitchStep, { items, banks }: Assets): string | null {
  if (what === 'recharges' || what === 'payouts') {
    const currency = banks.find((one) => one.bank === place)?.currencies.find((one) => one.currency === coin);
    return (what === 'payouts' ? currency?.payoutsOff : currency?.rechargesOff)?.id ?? null;
  }
  const found = items.find((one) => one.chain === place);
  if (what === 'chain') return found?.off?.id ?? null;
  const on = found?.coins.find((one) => one.coin === coin);
  return (what === 'withdrawals' ? on?.withdrawalsOff : on?.depositsOff)?.id ?? null;
}

interface ChainProps {
  chain: Chain;
  mayChange: boolean;
  onStep: (step: SwitchStep) => void;
}

function ChainCard({ chain: { chain, name, configured, off, coins }, mayChange, onStep }: ChainProps) {
  const t = useText();
  const step = (coin: string | null, what: SwitchStep['what'], state: SwitchStep['off'], waiting: number) => () =>
    onStep({ place: chain, placeName: name, coin, what, off: state, waiting });
  const waiting = coins.reduce((sum, coin) => sum + coin.waiting, 0);
  return (
    <Card
      flush
      title={name}
      aside={
        configured ? (
          <SwitchState
            label={t('ops.switch.chain')}
            name={name}
            off={off}
            {...(mayChange && { onChange: step(null, 'chain', off, waiting) })}
          />
        ) : (
          <span className="text-13 text-faint">{t('ops.assets.notConfigured')}</span>
        )
      }
    >
      <ul aria-label={name} className="m-0 list-none p-0">
        {coins.map(({ coin, contract, configured: isThere, withdrawalsOff, depositsOff, waiting: held }) => (
          <li
            key={coin}
            className="grid items-start gap-x-6 gap-y-3 border-line px-5 py-3 not-last:border-b md:grid-cols-[1fr_1fr_1fr]"
          >
            <div className="flex min-w-0 flex-col">
              <span className="font-medium">{coin}</span>
              {contract === null ? (
                <span className="text-12 text-faint">{t('ops.assets.native')}</span>
              ) : (
                <Address value={contract} short />
              )}
              {held > 0 && <span className="text-12 text-faint">{t('ops.assets.waiting', { count: held })}</span>}
            </div>
            {isThere ? (
              (['withdrawals', 'deposits'] as const).map((what) => {
                const state = what === 'withdrawals' ? withdrawalsOff : depositsOff;
                return (
                  <SwitchState
                    key={what}
                    label={t(`ops.switch.${what}`)}
                    name={`${coin} · ${name}`}
                    off={state}
                    chainOff={off !== null}
                    {...(mayChange && { onChange: step(coin, what, state, held) })}
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
