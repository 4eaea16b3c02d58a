import { isBankSwitch, type SwitchKind } from '@causeway/contract/operator-prices-rules.ts';
import { useNavigate } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { ReasonDialog, useProposed } from '../../operator/index.ts';
import { useProposeOn, useSwitchOff } from '../api.ts';
import type { Off } from './switch-state.tsx';

/** What is to be switched off at once, or proposed to be on again. */
export interface SwitchStep {
  /** The chain or the bank. */
  place: string;
  placeName: string;
  /** A coin on the chain, a currency at the bank; null: the whole chain. */
  coin: string | null;
  what: SwitchKind;
  off: Off | null;
  /** Transfers or payments that were submitted and not sent. */
  waiting: number;
}

/** Asks with the reason before something is switched off at once, or proposed to be switched on. */
export function SwitchDialog({ step, over, onClose }: { step: SwitchStep; over: string | null; onClose: () => void }) {
  const t = useText();
  const navigate = useNavigate();
  const proposed = useProposed();
  const switchOff = useSwitchOff();
  const proposeOn = useProposeOn();
  const { place, placeName, coin, what, off, waiting } = step;
  const name = coin === null ? placeName : `${coin} · ${placeName}`;
  const label = t(`ops.switch.${what}`);
  const submit = async ({ reason }: { reason: string }) => {
    if (off === null) {
      const on = isBankSwitch(what)
        ? { bank: place, ...(coin !== null && { currency: coin }) }
        : { chain: place, ...(coin !== null && { coin }) };
      await switchOff.mutateAsync({ body: { what, ...on, reason } });
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
        ...(what === 'deposits' || what === 'recharges'
          ? []
          : [
              {
                term: t(what === 'payouts' ? 'ops.switch.paymentsWaiting' : 'ops.switch.waiting'),
                value: String(waiting),
              },
            ]),
      ]}
      submitText={t(off === null ? 'ops.switch.turnOff' : 'ops.propose')}
      negative={off === null}
      over={over}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
