import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { DialogFoot, ReasonField, useProposed } from '../../operator/index.ts';
import { type Position, useChangeLimit } from '../api.ts';
import { checkLimit, type LimitValues, orNone } from '../rules.ts';

interface Props {
  /** Null: of an asset that has none yet. */
  position: Position | null;
  others: readonly string[];
  onClose: () => void;
}

/** The most decimals of an asset; the server knows those of each. */
const mostDecimals = 18;

/** Changes the limits of a position: what narrows holds at once, what widens is proposed. */
export function LimitDialog({ position, others, onClose }: Props) {
  const t = useText();
  const change = useChangeLimit();
  const proposed = useProposed();
  const navigate = useNavigate();
  const [other, setOther] = useState(others[0] ?? '');
  const asset = position?.asset ?? other;
  const fields = useFields<LimitValues, LimitValues>({
    check: checkLimit,
    defaults: {
      mostLong: plain(position?.mostLong),
      mostShort: plain(position?.mostShort),
      hedgeFrom: plain(position?.hedgeFrom),
      hedgeTo: plain(position?.hedgeTo),
      reason: '',
    },
  });
  const title = t('ops.limit.title', { asset });
  const submit = async ({ reason, ...values }: LimitValues) => {
    const body = {
      mostLong: orNone(values.mostLong),
      mostShort: orNone(values.mostShort),
      hedgeFrom: orNone(values.hedgeFrom),
      hedgeTo: orNone(values.hedgeTo),
      reason,
    };
    const { proposalId } = await change.mutateAsync({ params: { asset }, body });
    proposed(proposalId);
    onClose();
    if (proposalId !== null) void navigate({ to: `/app/confirmations/${proposalId}` });
  };
  const shared = { coin: asset, decimals: position?.decimals ?? mostDecimals };
  return (
    <Dialog open onOpenChange={(open) => open || fields.submitting || onClose()} title={title}>
      <Form fields={fields} onSubmit={submit} label={title}>
        <Banner kind="notice">{t('ops.limit.second')}</Banner>
        {position === null && (
          <SelectField
            label={t('ops.field.asset')}
            value={other}
            onChange={setOther}
            options={others.map((one) => ({ value: one, label: one }))}
          />
        )}
        <AmountField
          {...fields.value('mostLong')}
          {...shared}
          label={t('ops.limit.mostLong')}
          hint={t('ops.limit.mostLongHint')}
        />
        <AmountField
          {...fields.value('mostShort')}
          {...shared}
          label={t('ops.limit.mostShort')}
          hint={t('ops.limit.mostShortHint')}
        />
        <AmountField
          {...fields.value('hedgeFrom')}
          {...shared}
          label={t('ops.limit.hedgeFrom')}
          hint={t('ops.limit.hedgeFromHint')}
        />
        <AmountField {...fields.value('hedgeTo')} {...shared} label={t('ops.limit.hedgeTo')} />
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot
          fields={fields}
          over={position?.proposalId == null ? null : t('ops.over.proposed')}
          submitText={t('ops.limit.submit')}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** Without zeros that say nothing. */
function plain(amount: string | null | undefined): string {
  if (amount == null) return '';
  return amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount;
}
