import { sendUserCode } from 'virtual:calls/identity';
import type { ExchangeQuote } from '@causeway/contract/exchange.ts';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { CodeRecipient } from '@causeway/contract/organisation-rules.ts';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { useMutationCall } from '../../../lib/queries.ts';
import { messageOf, reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { useUser } from '../../../lib/user.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { Banner } from '../../../ui/states.tsx';
import { useQuoteFacts } from '../../exchange/index.ts';
import { isBlocked, ReviewNote, TransferCode } from '../../transfers/index.ts';
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

/** The field of these refusals is the code; all others are said in the dialog. */
const ofCode = ['codeWrong', 'codeBurnt', 'transferCodeMismatch', 'mfaNotBound', 'codeForAdministrator'];

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
  const email = useUser()?.email ?? '';
  const accept = useAccept();
  const sendCode = useMutationCall(sendUserCode);
  // The same exchange, however often it is sent.
  const [content] = useState(() => contentOf(newId(), offer));
  const [sentTo, setSentTo] = useState<CodeRecipient | null>(null);
  /** No clear answer came: sending again repeats the same exchange. */
  const [isUnclear, setUnclear] = useState(false);
  const fields = useFields<Values, Values>({ check, defaults: { codeMethod: 'email', code: '' } });
  const facts = useQuoteFacts(offer, '');
  const { review } = offer;
  const blocked = isBlocked(review);
  const isReviewed = review.outcome === 'required';
  const recipient = sentTo ?? review.codeRecipient;

  async function send(): Promise<{ resendAfterMs: number }> {
    fields.set('code', '');
    const subject = { kind: 'exchange' as const, content: { ...content } };
    const sent = await sendCode.mutateAsync({ body: { scenario: 'transaction', subject } });
    setSentTo(sent.recipient);
    toast(
      'success',
      sent.recipient === 'administrator'
        ? t('transfers.form.codeSentAdministrator')
        : t('transfers.form.codeSent', { email }),
    );
    return sent;
  }
  async function submit(proof: Values): Promise<void> {
    try {
      const { id } = await accept.mutateAsync({ body: { ...content, quoteId: offer.id, ...proof } });
      onClose();
      router.history.push(`/app/wallet/exchange/success/${id}`);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setUnclear(!error.refused);
      reportError(error);
      throw placed(error);
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
        {!blocked && (
          <TransferCode
            method={fields.values.codeMethod}
            onMethod={(method) => {
              fields.set('codeMethod', method);
              fields.set('code', '');
            }}
            code={fields.value('code')}
            voided={false}
            uploading={false}
            recipient={recipient}
            onSend={send}
          />
        )}
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

/** The refusal at its field, where its key names one. */
function placed(error: ApiError): ApiError {
  if (!ofCode.includes(error.key)) return error;
  const { key, status, code } = error;
  return new ApiError({ key, status, code, messages: error.messages, fields: { code: messageOf(error) } });
}
