import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { ReviewNote } from './review-note.tsx';
import { type SummaryProps, useTransferFacts } from './transfer-summary.tsx';

interface Props extends SummaryProps {
  notes: string;
  attachments: readonly { id: string; name: string }[];
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  busy: boolean;
  /** No clear answer came to the last try. */
  unknown: boolean;
}

/** Repeats who, how much, where, and what goes with it, before money leaves. */
export function TransferConfirm({ notes, attachments, open, onClose, onConfirm, busy, unknown, ...summary }: Props) {
  const t = useText();
  const facts = useTransferFacts(summary);
  const papers = attachments.map(({ id, name }) => (
    <span key={id} className="block break-all">
      {name}
    </span>
  ));
  if (papers.length > 0) facts.push({ term: t('transfers.form.attachments'), value: <>{papers}</> });
  if (notes.trim() !== '') {
    const text = <span className="break-words whitespace-pre-wrap">{notes.trim()}</span>;
    facts.push({ term: t('transfers.form.notes'), value: text });
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={t('transfers.confirm.title')}
      description={t('transfers.confirm.text')}
      facts={facts}
      confirmText={t('transfers.confirm.send', { amount: amountLine(summary.amount, summary.wallet?.asset) })}
      cancelText={t('transfers.confirm.back')}
      busy={busy}
      onConfirm={onConfirm}
    >
      <ReviewNote review={summary.review} coin={summary.wallet?.asset ?? ''} />
      {unknown && (
        <div className="mt-4">
          <Banner kind="pending">{t('transfers.confirm.unknown')}</Banner>
        </div>
      )}
    </ConfirmDialog>
  );
}
