import type { CardPayment } from '@causeway/contract/cards-payments.ts';
import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportFailure } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { FilePreview } from '../../../ui/file-preview.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { fetchReceipt, saveReceipt, useRemoveReceipt } from '../api.ts';
import { ReplaceReceipt } from './replace-receipt.tsx';

interface Props {
  payment: CardPayment;
  /** The receipt was replaced or removed. */
  onChanged: () => void;
}

/** The receipt of a payment: shown, saved, and, by whom it may be, replaced or removed. */
export function ReceiptView({ payment, onChanged }: Props) {
  const t = useText();
  const formats = useFormats();
  const remove = useRemoveReceipt();
  const [asking, setAsking] = useState<'show' | 'replace' | 'remove' | null>(null);
  const { receiptId: id, receiptFile: file, can } = payment;
  if (id === null || file === null) return null;
  const close = () => setAsking(null);
  const save = (
    <Button icon="download" onClick={() => void saveReceipt(id, file.name).catch(reportFailure)}>
      {t('cards.download')}
    </Button>
  );
  return (
    <section className="flex flex-col gap-3">
      <div className="flex items-center gap-2 rounded-6 bg-sunken py-1 pr-1 pl-2.5 text-13">
        <Icon name="file" className="shrink-0 text-faint" />
        <span className="min-w-0 flex-1 truncate">{file.name}</span>
        <span className="figures text-12 text-faint">{formats.bytes(file.sizeBytes)}</span>
        <Button kind="quiet" size="small" opensFile onClick={() => setAsking('show')}>
          {t('cards.receipt.show')}
        </Button>
      </div>
      {can.changeReceipt && asking !== 'replace' && (
        <div className="flex flex-wrap gap-3">
          <Button size="small" onClick={() => setAsking('replace')}>
            {t('cards.receipt.replace')}
          </Button>
          <Button size="small" onClick={() => setAsking('remove')}>
            {t('cards.receipt.remove')}
          </Button>
        </div>
      )}
      {asking === 'replace' && <ReplaceReceipt id={id} onDone={onChanged} onBack={close} />}
      {asking === 'show' && (
        <FilePreview name={file.name} type={file.type} load={() => fetchReceipt(id)} actions={save} onClose={close} />
      )}
      <ConfirmDialog
        open={asking === 'remove'}
        onOpenChange={(open) => open || close()}
        title={t('cards.receipt.remove')}
        description={t('cards.receipt.removeText')}
        facts={[
          { term: t('cards.field.merchant'), value: payment.merchant },
          { term: t('cards.field.amount'), value: amountLine(payment.amount, payment.asset) },
          { term: t('cards.field.receipt'), value: file.name },
        ]}
        confirmText={t('cards.receipt.remove')}
        negative
        busy={remove.isPending}
        onConfirm={() =>
          remove.mutate(
            { body: { id } },
            {
              onSuccess: () => {
                toast('success', t('cards.receipt.removed', { merchant: payment.merchant }));
                onChanged();
              },
            },
          )
        }
      />
    </section>
  );
}
