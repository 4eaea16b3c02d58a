import type { TradeDetail } from '@causeway/contract/trades.ts';
import { tradeReasonMaxLength } from '@causeway/contract/trades-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { useDeclineTrade, useDisputeTrade } from '../api.ts';

interface Props {
  trade: TradeDetail;
  onClose: () => void;
}

/** Says no to a trade that is not confirmed: the platform is informed, and it cannot be taken back. */
export function DeclineDialog({ trade, onClose }: Props) {
  const t = useText();
  const [reason, setReason] = useState('');
  const decline = useDeclineTrade(() => {
    toast('success', t('trades.declined', { number: trade.number }));
    onClose();
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('trades.decline.title')}
      description={t('trades.decline.text')}
      facts={useFacts(trade)}
      confirmText={t('trades.decline')}
      negative
      busy={decline.isPending}
      over={trade.can.decline ? null : t('trades.changed')}
      onConfirm={() => decline.mutate({ body: { id: trade.id, reason: reason.trim() } })}
    >
      <div className="mt-4">
        <TextArea
          label={t('trades.reason')}
          optional
          maxLength={tradeReasonMaxLength}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
    </ConfirmDialog>
  );
}

/** Stops payments to the seller until the platform has settled the dispute. */
export function DisputeDialog({ trade, onClose }: Props) {
  const t = useText();
  const [reason, setReason] = useState('');
  const [isLacking, setLacking] = useState(false);
  const dispute = useDisputeTrade(() => {
    toast('success', t('trades.disputed', { number: trade.number }));
    onClose();
  });
  const submit = () => {
    setLacking(reason.trim() === '');
    if (reason.trim() !== '') dispute.mutate({ body: { id: trade.id, reason: reason.trim() } });
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('trades.dispute.title')}
      description={t('trades.dispute.text')}
      facts={useFacts(trade)}
      confirmText={t('trades.dispute')}
      negative
      busy={dispute.isPending}
      over={trade.can.dispute ? null : t('trades.changed')}
      onConfirm={submit}
    >
      <div className="mt-4">
        <TextArea
          label={t('trades.reason')}
          hint={t('trades.dispute.hint')}
          maxLength={tradeReasonMaxLength}
          value={reason}
          error={isLacking && reason.trim() === '' ? t('trades.reason.lacking') : undefined}
          onChange={(event) => setReason(event.target.value)}
        />
      </div>
    </ConfirmDialog>
  );
}

function useFacts({ number, payee, quantity, frozen, asset }: TradeDetail) {
  const t = useText();
  return [
    { term: t('trades.field.number'), value: number },
    { term: t('trades.field.payee'), value: payee.name },
    { term: t('trades.field.quantity'), value: amountLine(quantity, asset) },
    ...(frozen === null ? [] : [{ term: t('trades.field.frozen'), value: amountLine(frozen, asset) }]),
  ];
}
