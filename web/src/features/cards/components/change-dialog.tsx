import type { CardDetail } from '@causeway/contract/cards.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportError } from '../../../lib/report-error.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { ControlNote, useTellChange } from '../../control/index.ts';
import { useChange } from '../api.ts';
import { boundsOf, boundsValues, checkBounds } from '../bounds-values.ts';
import { CardFields, type CardValues, checkName } from './card-form.tsx';

function check(values: CardValues): Checked<CardValues> {
  const problems = [...checkName(values), ...checkBounds(values)];
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

/** Changes what a card allows of itself; rules above it stay. */
export function ChangeDialog({ card, onClose }: { card: CardDetail; onClose: () => void }) {
  const t = useText();
  const change = useChange();
  const tell = useTellChange();
  const fields = useFields<CardValues, CardValues>({
    check,
    defaults: { ...boundsValues(card.own), name: card.name, validUntil: card.validUntil ?? '' },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={t('cards.change')}
      description={t('cards.change.text')}
    >
      <Form
        fields={fields}
        label={t('cards.change')}
        onSubmit={async (values) => {
          const validUntil = values.validUntil === '' ? null : values.validUntil;
          try {
            const body = { id: card.id, name: values.name.trim(), ...boundsOf(values), validUntil };
            tell(await change.mutateAsync({ body }), t('cards.changed'));
          } catch (error) {
            if (error instanceof ApiError) reportError(error);
            throw error;
          }
          onClose();
        }}
      >
        <CardFields fields={fields} asset={card.asset} decimals={card.decimals} />
        <ControlNote permission="card.manage" />
        <FormFoot submitText={t('cards.save')} busy={fields.submitting} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
