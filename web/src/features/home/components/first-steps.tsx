import type { FirstStep, FirstStepState } from '@causeway/contract/home-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Icon } from '../../../ui/icon.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { useDismissFirstSteps, useFirstSteps } from '../api.ts';

/** Where each step is done. */
const pages: Record<FirstStep, string> = {
  name: '/app/account#profile',
  secondFactor: '/app/account#two-step',
  administrator: '/app/member-management',
  rule: '/app/risk-setting',
  review: '/app/risk-setting',
  payee: '/app/payee/add',
  recharge: '/app/wallet/recharge',
};

/**
 * What is still to be set up, as the server knows it. It is not there once everything is done or the reader has hidden it, nor while that
 * is not known: most companies have long had theirs.
 */
export function FirstSteps() {
  const t = useText();
  const { data } = useFirstSteps();
  const dismiss = useDismissFirstSteps(() => toast('success', t('home.steps.hidden')));
  const done = data?.steps.filter(({ state }) => state === 'done').length ?? 0;
  if (data === undefined || data.dismissed || done === data.steps.length) return null;
  return (
    <Card
      title={t('home.steps')}
      aside={
        <span className="flex items-center gap-3">
          <span className="figures text-13 whitespace-nowrap text-faint">
            {t('home.steps.done', { done, total: data.steps.length })}
          </span>
          <Button size="small" busy={dismiss.isPending} onClick={() => dismiss.mutate({ body: { dismissed: true } })}>
            {t('home.steps.hide')}
          </Button>
        </span>
      }
      flush
    >
      <ol className="m-0 grid list-none p-0 md:grid-cols-2">
        {data.steps.map(({ step, state }) => (
          <li key={step} className="min-w-0 border-b border-line last:border-b-0">
            {state === 'done' ? <Done step={step} /> : <Open step={step} state={state} />}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Open({ step, state }: { step: FirstStep; state: FirstStepState }) {
  const t = useText();
  return (
    <PlainLink
      href={pages[step]}
      className="flex gap-3 px-5 py-3 text-text no-underline -outline-offset-2 hover:bg-hover"
    >
      <Mark state={state} />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{t(`home.step.${step}`)}</span>
        <span className="block text-13 text-muted">
          {t(state === 'waiting' ? `home.step.${step}.waiting` : `home.step.${step}.why`)}
        </span>
      </span>
      <Icon name="chevronRight" className="mt-0.5 shrink-0 text-faint" />
    </PlainLink>
  );
}

function Done({ step }: { step: FirstStep }) {
  const t = useText();
  return (
    <div className="flex gap-3 px-5 py-3 text-muted">
      <Mark state="done" />
      <span className="min-w-0">
        {t(`home.step.${step}`)}
        <span className="sr-only"> ({t('home.step.isDone')})</span>
      </span>
    </div>
  );
}

function Mark({ state }: { state: FirstStepState }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'mt-0.5 inline-flex size-5 shrink-0 items-center justify-center rounded-full border',
        state === 'done' ? 'border-positive text-positive' : 'border-control text-faint',
      )}
    >
      {state === 'done' && <Icon name="check" size={12} />}
      {state === 'waiting' && <Icon name="clock" size={12} />}
    </span>
  );
}
