import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Banner } from '../../../ui/states.tsx';
import { reckon } from '../amounts.ts';
import { ReviewNote } from './review-note.tsx';
import { type SummaryProps, useTransferFacts } from './transfer-summary.tsx';

interface Props extends SummaryProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
  busy: boolean;
  /** No clear answer came to the last try. */
  unknown: boolean;
}

/** Repeats who, how much, where, and what goes with it, before money leaves. */
export function TransferConfirm({ open, onClose, onConfirm, busy, unknown, ...summary }: Props) {
  const t = useText();
  const facts = useTransferFacts(summary);
  const reckoned = summary.rules && reckon(summary.amount, summary.rules);
  const isReviewed = summary.review?.outcome === 'required';
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={t(isReviewed ? 'transfers.confirm.reviewTitle' : 'transfers.confirm.title')}
      description={t(isReviewed ? 'transfers.confirm.reviewText' : 'transfers.confirm.text')}
      facts={facts}
      confirmText={
        isReviewed
          ? t('transfers.confirm.review')
          : t('transfers.confirm.send', {
              amount: amountLine(reckoned?.amount ?? summary.amount, summary.wallet?.asset),
            })
      }
      cancelText={t('transfers.confirm.back')}
      busy={busy}
      onConfirm={onConfirm}
    >
      {/* What is unclear may have been submitted: what is foreseen already counts it then. */}
      <div className="mt-4 empty:hidden">
        {unknown ? (
          <Banner kind="pending">{t('transfers.confirm.unknown')}</Banner>
        ) : (
          <ReviewNote review={summary.review} coin={summary.wallet?.asset ?? ''} />
        )}
      </div>
    </ConfirmDialog>
  );
}
