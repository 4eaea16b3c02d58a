import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { RadioField } from '../../../ui/radio-field.tsx';
import { useResendFailed, type Webhook } from '../api.ts';

const hourMs = 3_600_000;
const spans = [
  { value: '24', text: 'webhooks.resendFailed.day' },
  { value: '168', text: 'webhooks.resendFailed.week' },
  { value: '2160', text: 'webhooks.resendFailed.all' },
] as const;
type Span = (typeof spans)[number]['value'];

/** Sends all that has failed at an endpoint again: of a day, of a week, or as far as the log reaches back. */
export function ResendFailedDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const t = useText();
  const resend = useResendFailed();
  const [span, setSpan] = useState<Span>('24');
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('webhooks.resendFailed')}
      description={t('webhooks.resendFailed.text')}
      facts={[{ term: t('webhooks.field.url'), value: webhook.url }]}
      confirmText={t('webhooks.resend')}
      busy={resend.isPending}
      onConfirm={() => {
        const since = new Date(Date.now() - Number(span) * hourMs).toISOString();
        resend.mutate(
          { body: { id: webhook.id, since } },
          {
            onSuccess: ({ count }) => {
              onClose();
              toast('success', t('webhooks.resendFailed.done', { count }));
            },
          },
        );
      }}
    >
      <div className="mt-4">
        <RadioField
          label={t('webhooks.resendFailed.since')}
          options={spans.map(({ value, text }) => ({ value, label: t(text) }))}
          value={span}
          onChange={setSpan}
        />
      </div>
    </ConfirmDialog>
  );
}
