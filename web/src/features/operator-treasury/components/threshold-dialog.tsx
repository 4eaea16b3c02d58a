import { useText } from '../../../lib/locale.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { Banner } from '../../../ui/states.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { DialogFoot, ReasonField, useProposed } from '../../operator/index.ts';
import { type Chain, type Tank, useProposeThreshold } from '../api.ts';
import { checkThreshold, type Threshold, type ThresholdValues } from '../rules.ts';

interface Props {
  chain: Chain;
  tank: Tank;
  onClose: () => void;
}

/** Proposes when the gas tank of a chain is low, and when it stops. */
export function ThresholdDialog({ chain, tank, onClose }: Props) {
  const t = useText();
  const propose = useProposeThreshold();
  const proposed = useProposed();
  const { warnDays, warnPayments, stopPayments } = tank.threshold;
  const fields = useFields<ThresholdValues, Threshold>({
    check: checkThreshold,
    defaults: {
      warnDays: String(warnDays),
      warnPayments: String(warnPayments),
      stopPayments: String(stopPayments),
      reason: '',
    },
  });
  const title = t('ops.threshold.title', { chain: chain.name });
  const submit = async (body: Threshold) => {
    const { proposalId } = await propose.mutateAsync({ params: { chainId: chain.id }, body });
    proposed(proposalId);
    onClose();
  };
  const whole = { inputMode: 'numeric', autoComplete: 'off' } as const;
  return (
    <Dialog open onOpenChange={(open) => open || fields.submitting || onClose()} title={title}>
      <Form fields={fields} onSubmit={submit} label={title}>
        <Banner kind="notice">{t('ops.treasury.second')}</Banner>
        <TextField {...fields.text('warnDays')} {...whole} label={t('ops.threshold.days')} />
        <TextField {...fields.text('warnPayments')} {...whole} label={t('ops.threshold.payments')} />
        <TextField
          {...fields.text('stopPayments')}
          {...whole}
          label={t('ops.threshold.stop')}
          hint={t('ops.threshold.stopHint')}
        />
        <ReasonField binding={fields.text('reason')} />
        <DialogFoot
          fields={fields}
          over={tank.threshold.proposalId === null ? null : t('ops.over.proposed')}
          submitText={t('ops.propose')}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
