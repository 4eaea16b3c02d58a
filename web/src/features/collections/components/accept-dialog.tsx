import { paymentRequestReasonMaxLength } from '@causeway/contract/payment-requests-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import type { Fact } from '../../../ui/description-list.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { type Payment, type Request, useAccept } from '../api.ts';
import { excessOf } from '../request-values.ts';
import { askedLine } from '../words.ts';

interface Props {
  request: Request;
  /** Of a reusable request; absent of a single one. */
  payment?: Payment;
  onClose: () => void;
}

/** Accepts what was paid as it is: the request is settled with the difference, or the payment needs no further decision. */
export function AcceptDialog({ request, payment, onClose }: Props) {
  const t = useText();
  const accept = useAccept();
  const [note, setNote] = useState('');
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('collections.accept.title')}
      description={t(payment === undefined ? 'collections.accept.text' : 'collections.accept.textPayment')}
      facts={
        payment === undefined
          ? decisionFacts(request, t)
          : [
              { term: t('collections.field.title'), value: request.title },
              { term: t('collections.payments.one'), value: amountLine(payment.amount, payment.coin) },
              {
                term: t('collections.field.cause'),
                value: payment.causes.map((each) => t(`collections.cause.${each}`)).join(' · '),
              },
            ]
      }
      confirmText={t('collections.accept')}
      busy={accept.isPending}
      onConfirm={() =>
        accept.mutate(
          {
            params: { id: request.id },
            body: { version: request.version, paymentId: payment?.id ?? null, note: note.trim() },
          },
          {
            onSuccess: () => {
              toast('success', t('collections.accepted'));
              onClose();
            },
          },
        )
      }
    >
      <div className="mt-4">
        <TextArea
          label={t('collections.field.decisionNote')}
          optional
          maxLength={paymentRequestReasonMaxLength}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
    </ConfirmDialog>
  );
}

/** What a decision about a single request repeats. */
export function decisionFacts(request: Request, t: ReturnType<typeof useText>): Fact[] {
  const { asset, paid, remaining, causes, title, reference } = request;
  const excess = excessOf(request);
  const sum = (term: string, amount: string | null): Fact[] =>
    amount === null || asset === null ? [] : [{ term: t(term), value: amountLine(amount, asset) }];
  return [
    { term: t('collections.field.title'), value: title },
    ...(reference === '' ? [] : [{ term: t('collections.field.reference'), value: reference }]),
    { term: t('collections.field.amount'), value: askedLine(t, request) },
    ...sum('collections.field.paid', paid),
    ...(excess === null ? sum('collections.field.remaining', remaining) : sum('collections.field.excess', excess)),
    ...(causes.length === 0
      ? []
      : [
          {
            term: t('collections.field.cause'),
            value: causes.map((each) => t(`collections.cause.${each}`)).join(' · '),
          },
        ]),
  ];
}
