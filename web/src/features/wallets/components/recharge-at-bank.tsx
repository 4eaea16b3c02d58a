import type { BankWallet } from '@causeway/contract/wallets-rules.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ListValues } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Banner, EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Steps } from '../../../ui/steps.tsx';
import { useFunding } from '../recharge-api.ts';
import { FundingDetails } from './funding-details.tsx';
import { Paying } from './paying.tsx';
import { ProofForm } from './proof-form.tsx';

const steps = ['details', 'pay', 'proof'] as const;
type Step = (typeof steps)[number];

/** A recharge by bank transfer; while the operator has switched recharges off, what that means. */
export function RechargeAtBank({ wallet }: { wallet: BankWallet }) {
  const t = useText();
  if (!wallet.depositsPaused) return <RechargeSteps wallet={wallet} />;
  return (
    <Card>
      <EmptyState icon="warning" title={t('recharge.fiat.paused')} text={t('wallets.paused.depositsText.bank')} />
    </Card>
  );
}

/** Three steps; the address has the step, so that reload and the browser's back keep it. */
function RechargeSteps({ wallet }: { wallet: BankWallet }) {
  const t = useText();
  const mayAnnounce = usePermission('transfer.create') !== false;
  const funding = useFunding(wallet.id);
  const [step, go] = useStep();
  const heading = useFocusOn(step);
  const navigate = useNavigate();
  return (
    <Card>
      <Loading loading={funding.data === undefined && funding.error === null} skeleton={<StepSkeleton />}>
        {funding.data === undefined ? (
          <ErrorState error={funding.error} onRetry={() => void funding.refetch()} />
        ) : (
          <div className="flex flex-col gap-5">
            <Steps
              label={t('recharge.fiat.steps')}
              steps={steps.map((each) => t(`recharge.fiat.step.${each}`))}
              current={steps.indexOf(step)}
            />
            <h2 ref={heading} tabIndex={-1} className="m-0 text-16 font-semibold outline-none">
              {t(`recharge.fiat.title.${step}`, { currency: wallet.asset })}
            </h2>
            {step === 'details' && <FundingDetails funding={funding.data} />}
            {step === 'pay' && <Paying funding={funding.data} />}
            {step === 'proof' &&
              (mayAnnounce ? (
                <ProofForm
                  key={wallet.id}
                  funding={funding.data}
                  onBack={() => go('pay')}
                  onAnnounced={(notice) => {
                    toast('success', t('recharge.fiat.announced'));
                    void navigate({
                      to: `/app/wallet/recharge/notice/${notice.id}` as string,
                      search: ((old: ListValues) => ({ ...old, step: undefined })) as never,
                    });
                  }}
                />
              ) : (
                <>
                  <Banner kind="notice">{t('recharge.fiat.mayNot')}</Banner>
                  <div>
                    <Button onClick={() => go('pay')}>{t('recharge.fiat.back')}</Button>
                  </div>
                </>
              ))}
            {step !== 'proof' && (
              <div className="flex flex-wrap justify-between gap-3">
                {step === 'pay' ? <Button onClick={() => go('details')}>{t('recharge.fiat.back')}</Button> : <span />}
                <Button kind="primary" onClick={() => go(step === 'details' ? 'pay' : 'proof')}>
                  {t(step === 'details' ? 'recharge.fiat.toPay' : 'recharge.fiat.toProof')}
                </Button>
              </div>
            )}
          </div>
        )}
      </Loading>
    </Card>
  );
}

function useStep(): [Step, (step: Step) => void] {
  const search = useSearch({ strict: false }) as ListValues;
  const navigate = useNavigate();
  const step = steps.find((each) => each === search['step']) ?? 'details';
  const go = (next: Step) =>
    void navigate({
      to: '.',
      search: ((old: ListValues) => ({ ...old, step: next === 'details' ? undefined : next })) as never,
      resetScroll: false,
    });
  return [step, go];
}

/** Another step is another page to a screen reader: the focus goes to its heading, but not when the page is opened. */
function useFocusOn(step: Step) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus();
  }, [step]);
  return heading;
}

function StepSkeleton() {
  return (
    <div className="flex flex-col gap-5">
      <Skeleton width="w-64" height="h-6" />
      <Skeleton height="h-80" />
      <Skeleton width="w-48" height="h-9" />
    </div>
  );
}
