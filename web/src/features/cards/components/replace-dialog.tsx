import type { CardDetail } from '@causeway/contract/cards.ts';
import { type CardReplacement, cardReplacements } from '@causeway/contract/cards-rules.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, type Fields, useFields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { useReplace } from '../api.ts';
import { cardsPath } from '../paths.ts';
import { dots } from '../words.ts';
import { checkShip, noAddress, ShipFields, type ShipValues, shipToOf } from './ship-fields.tsx';

interface Values extends ShipValues {
  reason: CardReplacement;
  where: 'same' | 'other';
}

function check(values: Values): Checked<Values> {
  const problems = values.where === 'other' ? checkShip(values) : [];
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

/** Replaces a card: the old one is closed at once, the new one has its limits. */
export function ReplaceDialog({ card, onClose }: { card: CardDetail; onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const replace = useReplace();
  const [newCardId] = useState(() => newId());
  const fields = useFields<Values, Values>({ check, defaults: { ...noAddress, reason: 'lost', where: 'same' } });
  const isPhysical = card.kind === 'physical';
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={t('cards.replace')}
      description={t('cards.replace.text')}
    >
      <Form
        fields={fields}
        label={t('cards.replace')}
        onSubmit={async (values) => {
          const shipTo = isPhysical && values.where === 'other' ? shipToOf(values) : null;
          try {
            await replace.mutateAsync({ body: { id: card.id, newId: newCardId, reason: values.reason, shipTo } });
          } catch (error) {
            if (error instanceof ApiError) reportError(error);
            throw error;
          }
          toast('success', t('cards.replaced'));
          onClose();
          void navigate({ to: `${cardsPath}/${newCardId}` });
        }}
      >
        <DescriptionList
          framed
          facts={[
            { term: t('cards.field.card'), value: [card.name, dots(card.lastFour)].filter(Boolean).join(' ') },
            { term: t('cards.field.holder'), value: card.holder.name },
          ]}
        />
        <RadioField
          label={t('cards.replace.reason')}
          options={cardReplacements.map((value) => ({ value, label: t(`cards.replace.${value}`) }))}
          {...fields.value('reason')}
        />
        {isPhysical && (
          <RadioField
            label={t('cards.replace.where')}
            options={(['same', 'other'] as const).map((value) => ({ value, label: t(`cards.replace.${value}`) }))}
            {...fields.value('where')}
          />
        )}
        {isPhysical && fields.values.where === 'other' && (
          <ShipFields fields={fields as unknown as Fields<ShipValues, ShipValues>} />
        )}
        <FormFoot submitText={t('cards.replace')} busy={fields.submitting} onCancel={onClose} negative />
      </Form>
    </Dialog>
  );
}
