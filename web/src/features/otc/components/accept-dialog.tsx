import type { ExchangeQuote } from '@causeway/contract/exchange.ts';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { codeFields, placed } from '../../../lib/placed.ts';
import { reportError } from '../../../lib/report-error.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { Banner } from '../../../ui/states.tsx';
import { useQuoteFacts } from '../../exchange/index.ts';
import { isBlocked, ReviewNote, TransferCode, useTransactionCode } from '../../transfers/index.ts';
import { type Request, useAccept } from '../api.ts';
import { contentOf } from '../values.ts';

interface Values {
  codeMethod: CodeMethod;
  code: string;
}

function check(values: Values): Checked<Values> {
  return /^\d{6}$/.test(values.code)
    ? { ok: true, values }
    : { ok: false, problems: [{ path: ['code'], message: 'field.code' }] };
}

interface Props {
  request: Request;
  offer: ExchangeQuote;
  /** How long it still holds; null: it has run out. */
  left: string | null;
  onClose: () => void;
}

/** Repeats what leaves and what arrives, and takes the code that proves it: then the desk's quote is exchanged, or waits for approval. */
export function AcceptDialog({ request, offer, left, onClose }: Props) {
  const t = useText();
  const router = useRouter();
  const accept = useAccept();
  // The same exchange, however often it is sent.
  const [content] = useState(() => contentOf(newId(), offer));
  /** No clear answer came: sending again repeats the same exchange. */
  const [isUnclear, setUnclear] = useState(false);
  const fields = useFields<Values, Values>({ check, defaults: { codeMethod: 'email', code: '' } });
  const facts = useQuoteFacts(offer, '');
  const { review } = offer;
  const blocked = isBlocked(review);
  const isReviewed = review.outcome === 'required';
  const code = useTransactionCode({
    fields,
    checked: { ok: true, values: content },
    boundTo: ({ id }) => id,
    subjectOf: (subject) => ({ kind: 'exchange', content: { ...subject } }),
    recipient: review.codeRecipient,
    firstText: 'exchanges.form.codeFirst',
  });

  async function submit(proof: Values): Promise<void> {
    try {
      const { id } = await accept.mutateAsync({ body: { ...content, quoteId: offer.id, ...proof } });
      onClose();
      router.history.push(`/app/wallet/exchange/success/${id}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setUnclear(!error.refused);
      reportError(error);
      throw placed(error, codeFields);
    }
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={t(isReviewed ? 'otc.accept.reviewTitle' : 'otc.accept.title')}
      description={t(isReviewed ? 'otc.accept.reviewText' : 'otc.accept.text')}
    >
      <Form fields={fields} onSubmit={submit} label={t('otc.accept.title')}>
        <DescriptionList facts={facts} framed />
        <p role="timer" className="figures m-0 text-13 text-muted">
          {left === null ? t('otc.offer.over') : left}
        </p>
        {isUnclear ? (
          <Banner kind="pending">{t('otc.accept.unknown')}</Banner>
        ) : (
          <ReviewNote review={review} coin={offer.sell.asset} />
        )}
        {!blocked && <TransferCode {...code} code={fields.value('code')} />}
        <div className="flex flex-wrap justify-end gap-3 border-t border-line pt-5">
          <Button disabled={fields.submitting} onClick={onClose}>
            {t('otc.accept.back')}
          </Button>
          <Button
            type="submit"
            kind="primary"
            busy={fields.submitting}
            disabled={blocked || (left === null && !isUnclear) || request.state !== 'quoted'}
          >
            {t(isReviewed ? 'otc.accept.review' : 'otc.accept.exchange', {
              amount: amountLine(offer.sell.total, offer.sell.asset),
            })}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
