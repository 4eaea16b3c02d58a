import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { AmountField } from '../../../ui/amount-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { DialogFoot, ReasonField } from '../../operator/index.ts';
import { useChangeMinimum } from '../api.ts';
import { checkMinimum, type MinimumValues } from '../rules.ts';

interface Props {
  minimum: { usd: string; change: { by: string } | null };
  onClose: () => void;
}

/** From which worth on companies ask the desk. */
export function MinimumDialog({ minimum, onClose }: Props) {
  const t = useText();
  const change = useChangeMinimum();
  const fields = useFields<MinimumValues, MinimumValues>({
    check: checkMinimum,
    defaults: { usd: minimum.usd.replace(/\.00$/, ''), reason: '' },
  });
  const title = t('ops.desk.changeMinimum');
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={title}
      {...(minimum.change !== null && { description: t('ops.desk.minimumBy', { by: minimum.change.by }) })}
    >
      <Form
        fields={fields}
        label={title}
        onSubmit={async ({ usd, reason }) => {
          await change.mutateAsync({ body: { usd, reason } });
          toast('success', t('ops.desk.minimumChanged'));
          onClose();
        }}
      >
        <AmountField label={t('ops.desk.minimum')} coin="USD" decimals={2} {...fields.value('usd')} />
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot fields={fields} over={null} submitText={t('ops.desk.saveMinimum')} onClose={onClose} />
      </Form>
    </Dialog>
  );
}
