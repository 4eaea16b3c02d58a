import type { CardDetail } from '@causeway/contract/cards.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { placed } from '../../../lib/placed.ts';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { useActivate } from '../api.ts';

interface Values {
  lastFour: string;
}

const check = (values: Values): Checked<Values> =>
  /^\d{4}$/.test(values.lastFour)
    ? { ok: true, values }
    : { ok: false, problems: [{ path: ['lastFour'], message: 'field.invalid' }] };

/** Activates a physical card that has arrived, by what is printed on it. */
export function ActivateDialog({ card, onClose }: { card: CardDetail; onClose: () => void }) {
  const t = useText();
  const activate = useActivate();
  const fields = useFields<Values, Values>({ check, defaults: { lastFour: '' } });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={t('cards.activate')}
      description={t('cards.activate.text')}
    >
      <Form
        fields={fields}
        label={t('cards.activate')}
        onSubmit={async ({ lastFour }) => {
          try {
            await activate.mutateAsync({ body: { id: card.id, lastFour } });
          } catch (error) {
            if (!(error instanceof ApiError)) throw error;
            reportError(error);
            throw placed(error, { cardLastFourWrong: 'lastFour' });
          }
          toast('success', t('cards.activated'));
          onClose();
        }}
      >
        <TextField
          label={t('cards.activate.lastFour')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          {...fields.text('lastFour')}
        />
        <FormFoot submitText={t('cards.activate')} busy={fields.submitting} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
