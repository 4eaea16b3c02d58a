import { paymentRequestReasonMaxLength } from '@causeway/contract/payment-requests-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { type Request, useCancel, useRemind, useSettleByHand } from '../api.ts';
import { askedLine } from '../words.ts';
import { AcceptDialog, decisionFacts } from './accept-dialog.tsx';
import { AskRestDialog } from './ask-rest-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';

type Step = 'accept' | 'askRest' | 'settle' | 'cancel' | 'remind' | 'edit';

/** What this reader can do with a request now; each step asks first and repeats its facts. */
export function RequestActions({ request }: { request: Request }) {
  const t = useText();
  const [open, setOpen] = useState<Step | null>(null);
  const { can, kind, state } = request;
  const close = () => setOpen(null);
  const isDecided = state === 'unresolved';
  const isSingle = kind === 'single';
  return (
    <>
      {can.accept && isSingle && (
        <Button kind={isDecided ? 'primary' : 'secondary'} onClick={() => setOpen('accept')}>
          {t('collections.accept')}
        </Button>
      )}
      {can.askRest && <Button onClick={() => setOpen('askRest')}>{t('collections.askRest')}</Button>}
      {can.remind && <Button onClick={() => setOpen('remind')}>{t('collections.remind')}</Button>}
      {can.edit && <Button onClick={() => setOpen('edit')}>{t('collections.edit')}</Button>}
      {can.settleByHand && <Button onClick={() => setOpen('settle')}>{t('collections.settle')}</Button>}
      {can.cancel && <Button onClick={() => setOpen('cancel')}>{t('collections.cancel')}</Button>}
      {open === 'accept' && <AcceptDialog request={request} onClose={close} />}
      {open === 'askRest' && <AskRestDialog request={request} onClose={close} />}
      {open === 'edit' && <EditDialog request={request} onClose={close} />}
      {open === 'remind' && <RemindDialog request={request} onClose={close} />}
      {open === 'settle' && <SettleDialog request={request} onClose={close} />}
      {open === 'cancel' && <CancelDialog request={request} onClose={close} />}
    </>
  );
}

interface DialogProps {
  request: Request;
  onClose: () => void;
}

function RemindDialog({ request, onClose }: DialogProps) {
  const t = useText();
  const remind = useRemind();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('collections.remind.title')}
      description={t('collections.remind.text')}
      facts={[
        { term: t('collections.field.title'), value: request.title },
        { term: t('collections.field.amount'), value: askedLine(t, request) },
        { term: t('collections.field.payerEmail'), value: request.payer?.email ?? '–' },
      ]}
      confirmText={t('collections.remind')}
      busy={remind.isPending}
      onConfirm={() =>
        remind.mutate({ params: { id: request.id } }, { onSuccess: () => done(t('collections.reminded'), onClose) })
      }
    />
  );
}

function SettleDialog({ request, onClose }: DialogProps) {
  const t = useText();
  const settle = useSettleByHand();
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('collections.settle.title')}
      description={t('collections.settle.text')}
      facts={decisionFacts(request, t)}
      confirmText={t('collections.settle')}
      busy={settle.isPending}
      disabled={reason.trim() === ''}
      onConfirm={() =>
        settle.mutate(
          { params: { id: request.id }, body: { version: request.version, reason: reason.trim() } },
          { onSuccess: () => done(t('collections.settled'), onClose) },
        )
      }
    >
      <Reason
        label={t('collections.field.reason')}
        hint={t('collections.settle.hint')}
        value={reason}
        onChange={setReason}
      />
    </ConfirmDialog>
  );
}

function CancelDialog({ request, onClose }: DialogProps) {
  const t = useText();
  const cancel = useCancel();
  const [reason, setReason] = useState('');
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('collections.cancel.title')}
      description={t('collections.cancel.text')}
      facts={decisionFacts(request, t)}
      confirmText={t('collections.cancel')}
      cancelText={t('collections.cancel.keep')}
      negative
      busy={cancel.isPending}
      onConfirm={() =>
        cancel.mutate(
          { params: { id: request.id }, body: { reason: reason.trim() } },
          { onSuccess: () => done(t('collections.cancelled'), onClose) },
        )
      }
    >
      <Reason label={t('collections.field.reason')} optional value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}

interface ReasonProps {
  label: string;
  hint?: string;
  optional?: boolean;
  value: string;
  onChange: (value: string) => void;
}

function Reason({ onChange, ...field }: ReasonProps) {
  return (
    <div className="mt-4">
      <TextArea
        maxLength={paymentRequestReasonMaxLength}
        {...field}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function done(text: string, onClose: () => void): void {
  toast('success', text);
  onClose();
}
