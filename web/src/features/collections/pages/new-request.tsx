import { languageOf } from '@causeway/contract/locale.ts';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useLocale, useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { usePermission } from '../../../lib/permission.ts';
import { placed } from '../../../lib/placed.ts';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CardPage } from '../../../ui/card-page.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { useMedia, wideScreen } from '../../../ui/media.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { Banner, ErrorState, NoPermission } from '../../../ui/states.tsx';
import { useCreate, useRequestOptions } from '../api.ts';
import {
  AmountFields,
  PayerFields,
  PeriodFields,
  SubjectFields,
  ToleranceFields,
} from '../components/request-fields.tsx';
import { RequestSummary, useRequestFacts } from '../components/request-summary.tsx';
import { bodyOf, checkRequest, emptyRequest, type ReadyRequest, type RequestValues } from '../request-values.ts';

/** The field under which a refusal is shown where the server names none. */
const fieldOfError: Readonly<Record<string, string>> = {
  amountFormat: 'amount',
  amountTooLarge: 'amount',
  amountTooManyDecimals: 'amount',
  paymentRequestTooSmall: 'amount',
  paymentRequestDueDate: 'dueOn',
  paymentRequestExpiry: 'period',
  paymentRequestNoWallet: 'accepted',
  paymentRequestPricing: 'pricing',
  paymentRequestRateUnavailable: 'asset',
  paymentRequestReminders: 'reminderDays',
  paymentRequestTolerance: 'tolerance',
};
/** The form's names for fields of the call. */
const fieldOfInput: Readonly<Record<string, string>> = {
  expiresAt: 'period',
  'payer.name': 'payerName',
  'payer.email': 'payerEmail',
  'tolerance.percent': 'tolerance',
  'tolerance.units': 'tolerance',
};

/** Making a payment request, for those who may. */
export function Page() {
  if (usePermission('transfer.create') !== false) return <NewRequest />;
  return (
    <CardPage>
      <NoPermission />
    </CardPage>
  );
}

interface Question {
  ready: ReadyRequest;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

function NewRequest() {
  const t = useText();
  const navigate = useNavigate();
  const create = useCreate();
  const choices = useRequestOptions();
  const options = choices.data;
  const locale = useLocale();
  const [id] = useState(() => newId());
  const [question, setQuestion] = useState<Question | null>(null);
  /** No clear answer came: sending again repeats the same request. */
  const [isUnclear, setUnclear] = useState(false);
  const known = useRef(options);
  known.current = options;
  const fields = useFields<RequestValues, ReadyRequest>({
    check: (values) => checkRequest(values, known.current, Date.now()),
    defaults: emptyRequest(id, languageOf(locale)),
    keep: 'payment-request',
  });
  const isWide = useMedia(wideScreen);
  if (options === undefined && choices.error !== null) {
    return (
      <CardPage>
        <ErrorState error={choices.error} onRetry={() => void choices.refetch()} />
      </CardPage>
    );
  }
  const ask = (ready: ReadyRequest) => new Promise<void>((resolve, reject) => setQuestion({ ready, resolve, reject }));
  const back = () => {
    question?.reject(new ApiError({ key: 'notConfirmed', status: 0 }));
    setQuestion(null);
    setUnclear(false);
  };
  const confirm = async () => {
    if (question === null || options === undefined) return;
    try {
      const made = await create.mutateAsync({ body: bodyOf(question.ready, options, Date.now()) });
      question.resolve();
      fields.reset();
      toast('success', t('collections.made'));
      void navigate({ to: `/app/u-collection/${made.id}` });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reportError(error);
      if (!error.refused) {
        setUnclear(true);
        return;
      }
      // The id was used by a request that another tab made with a copy of this draft.
      if (error.key === 'idTaken') fields.set('id', newId());
      setQuestion(null);
      question.reject(placed(error, fieldOfError, fieldOfInput));
    }
  };
  const part = { fields, options };
  const summary = { values: fields.values, options };
  return (
    <Frame intro={t('collections.form.intro')}>
      <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr]">
        <Card>
          <Form fields={fields} onSubmit={ask} label={t('collections.new')}>
            {options?.accepted.length === 0 && <Banner kind="pending">{t('collections.form.noWallets')}</Banner>}
            <SubjectFields {...part} />
            <AmountFields {...part} />
            <PeriodFields {...part} />
            <PayerFields {...part} />
            <ToleranceFields {...part} />
            {!isWide && <RequestSummary {...summary} />}
            <div className="flex justify-end border-t border-line pt-5">
              <Button type="submit" kind="primary" size="large" busy={fields.submitting}>
                {t('collections.form.review')}
              </Button>
            </div>
          </Form>
        </Card>
        {isWide && (
          <div className="sticky top-21">
            <RequestSummary {...summary} />
          </div>
        )}
      </div>
      {question !== null && (
        <Review
          values={question.ready}
          options={options}
          busy={create.isPending}
          isUnclear={isUnclear}
          onBack={back}
          onConfirm={() => void confirm()}
        />
      )}
    </Frame>
  );
}

interface ReviewProps {
  values: ReadyRequest;
  options: Parameters<typeof useRequestFacts>[0]['options'];
  busy: boolean;
  isUnclear: boolean;
  onBack: () => void;
  onConfirm: () => void;
}

/** Once more what the payer is asked: it binds the company from then on, and its amount cannot be changed. */
function Review({ values, options, busy, isUnclear, onBack, onConfirm }: ReviewProps) {
  const t = useText();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onBack()}
      title={t('collections.form.reviewTitle')}
      description={t(values.payerEmail.trim() === '' ? 'collections.form.reviewText' : 'collections.form.reviewMail')}
      facts={useRequestFacts({ values, options })}
      confirmText={t('collections.form.make')}
      cancelText={t('collections.form.back')}
      busy={busy}
      onConfirm={onConfirm}
    >
      {isUnclear && <Banner kind="pending">{t('collections.form.unclear')}</Banner>}
    </ConfirmDialog>
  );
}
