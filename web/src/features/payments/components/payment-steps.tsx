import type { PayoutForm } from '@causeway/contract/payments-rules.ts';
import { useEffect, useRef } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { Form } from '../../../ui/form.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { ErrorState, NoPermission } from '../../../ui/states.tsx';
import { Steps } from '../../../ui/steps.tsx';
import { type Step, steps } from '../payment-values.ts';
import { CheckStep } from './check-step.tsx';
import { PayStep } from './pay-step.tsx';
import { PayeeStep } from './payee-step.tsx';
import { type PaymentForm, usePaymentForm } from './use-payment-form.ts';
import { usePaymentSubmit } from './use-payment-submit.ts';

/** Paying a bank account in steps, for those who may. */
export function PaymentSteps({ form }: { form: PayoutForm }) {
  if (usePermission('transfer.create') !== false) return <Content form={form} />;
  return (
    <CardPage narrow>
      <NoPermission />
    </CardPage>
  );
}

function Content({ form: kind }: { form: PayoutForm }) {
  const t = useText();
  const form = usePaymentForm(kind);
  const submission = usePaymentSubmit(form);
  const { fields, step, go, wallets } = form;
  const heading = useFocusOn(step);
  if (wallets.data === undefined && wallets.error !== null) {
    return (
      <CardPage narrow>
        <ErrorState error={wallets.error} onRetry={() => void wallets.refetch()} />
      </CardPage>
    );
  }
  const at = steps.indexOf(step);
  const before = steps[at - 1];
  const after = steps[at + 1];
  const isReviewed = form.outlook?.review?.outcome === 'required';
  return (
    <Frame narrow>
      <Card>
        <div className="flex flex-col gap-5">
          <Steps
            label={t('payments.steps')}
            steps={steps.map((each) => t(`payments.step.${each}`))}
            current={steps.indexOf(step)}
          />
          <h2 ref={heading} tabIndex={-1} className="m-0 text-16 font-semibold outline-none">
            {t(`payments.title.${step}`)}
          </h2>
          {/* Each step is a form of its own: Enter leads on. */}
          <Form
            key={step}
            fields={fields}
            label={t('payments.form.label')}
            goesOn
            onSubmit={(ready) => (after === undefined ? submission.submit(ready) : go(after))}
          >
            {step === 'payee' && <PayeeStep form={form} />}
            {step === 'pay' && <PayStep form={form} />}
            {step === 'check' && <CheckStep form={form} submission={submission} />}
            <div className="flex flex-wrap justify-between gap-3 border-t border-line pt-5">
              {before === undefined ? <span /> : <Button onClick={() => go(before)}>{t('payments.back')}</Button>}
              <Button
                type="submit"
                kind="primary"
                size={after === undefined ? 'large' : 'medium'}
                busy={fields.submitting}
                disabled={
                  after === undefined &&
                  (form.blocked || form.isOtherAccount || form.outlook === undefined || isUnpriced(form, submission))
                }
              >
                {after === undefined
                  ? t(form.blocked ? 'payments.blocked' : isReviewed ? 'payments.submitReview' : 'payments.submit')
                  : t(`payments.to.${after}`)}
              </Button>
            </div>
          </Form>
        </div>
      </Card>
    </Frame>
  );
}

/** Of a payment out of coins no quote is firm that the person has accepted; one that was sent without a clear answer has its own. */
function isUnpriced({ coins, rate }: PaymentForm, { unknown }: ReturnType<typeof usePaymentSubmit>): boolean {
  return coins.chosen !== undefined && !unknown && (rate.firm === undefined || rate.isOut);
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
