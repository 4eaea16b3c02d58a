import type { SwitchKind } from '@causeway/contract/operator-prices-rules.ts';
import { useNavigate } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { ReasonDialog, useProposed } from '../../operator/index.ts';
import { useProposeOn, useSwitchOff } from '../api.ts';
import type { Off } from './switch-state.tsx';

/** What is to be switched off at once, or proposed to be on again. */
export interface SwitchStep {
  chain: string;
  chainName: string;
  coin: string | null;
  what: SwitchKind;
  off: Off | null;
  /** Transfers that were submitted and not sent. */
  waiting: number;
}

/** Asks with the reason before something is switched off at once, or proposed to be switched on. */
export function SwitchDialog({ step, over, onClose }: { step: SwitchStep; over: string | null; onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const proposed = useProposed();
  const switchOff = useSwitchOff();
  const proposeOn = useProposeOn();
  const { chain, chainName, coin, what, off, waiting } = step;
  const name = coin === null ? chainName : `${coin} · ${chainName}`;
  const label = t(`ops.switch.${what}`);
  const submit = async ({ reason }: { reason: string }) => {
    if (off === null) {
      await switchOff.mutateAsync({ body: { what, chain, ...(coin !== null && { coin }), reason } });
      toast('success', t('ops.switch.doneOff', { label, name }));
      return;
    }
    const { proposalId } = await proposeOn.mutateAsync({ params: { id: off.id }, body: { reason } });
    proposed(proposalId);
    void navigate({ to: `/app/confirmations/${proposalId}` });
  };
  return (
    <ReasonDialog
      title={t(off === null ? 'ops.switch.offOf' : 'ops.switch.onOf', { label, name })}
      text={t(off === null ? `ops.switch.offText.${what}` : 'ops.switch.onText')}
      facts={[
        { term: label, value: name },
        ...(off === null ? [] : [{ term: t('ops.switch.why'), value: off.reason }]),
        ...(what === 'deposits' ? [] : [{ term: t('ops.switch.waiting'), value: String(waiting) }]),
      ]}
      submitText={t(off === null ? 'ops.switch.turnOff' : 'ops.propose')}
      negative={off === null}
      over={over}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
