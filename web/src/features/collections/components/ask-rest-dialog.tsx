import { paymentRequestReasonMaxLength } from '@causeway/contract/payment-requests-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { type Request, useAskRest } from '../api.ts';
import { endOf, type Period } from '../request-values.ts';
import { decisionFacts } from './accept-dialog.tsx';

const offered = ['1', '24', '72', '168', '720'] as const satisfies readonly Period[];

/** A further period for what lacks, at the same addresses; in a currency with new rates for it. */
export function AskRestDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const t = useText();
  const askRest = useAskRest();
  const [period, setPeriod] = useState<(typeof offered)[number]>('24');
  const [note, setNote] = useState('');
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('collections.askRest.title')}
      description={t(request.pricing === 'currency' ? 'collections.askRest.textRates' : 'collections.askRest.text')}
      facts={decisionFacts(request, t)}
      confirmText={t('collections.askRest')}
      busy={askRest.isPending}
      onConfirm={() =>
        askRest.mutate(
          {
            params: { id: request.id },
            body: {
              version: request.version,
              expiresAt: endOf({ period, until: '' }, Date.now()) ?? '',
              note: note.trim(),
            },
          },
          {
            onSuccess: () => {
              toast('success', t('collections.askRest.done'));
              onClose();
            },
          },
        )
      }
    >
      <div className="mt-4 flex flex-col gap-4">
        <SelectField
          label={t('collections.field.period')}
          options={offered.map((value) => ({ value, label: t(`collections.period.${value}`) }))}
          value={period}
          onChange={setPeriod}
        />
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
