import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';

export interface Off {
  id: string;
  at: string;
  by: string;
  reason: string;
}

interface Props {
  label: string;
  /** What it is of, for those who do not see where the button is. */
  name: string;
  off: Off | null;
  /** The whole chain is off. */
  chainOff?: boolean;
  onChange?: () => void;
}

/** Whether something is on; off: since when, by whom and why. */
export function SwitchState({ label, name, off, chainOff = false, onChange }: Props) {
  const t = useText();
  const word = off !== null ? 'off' : chainOff ? 'chainOff' : 'on';
  return (
    <div className="flex min-w-0 items-center justify-between gap-3">
      <div className="flex min-w-0 flex-col gap-0.5">
        <StatusDot tone={word === 'on' ? 'positive' : 'negative'}>
          {t('ops.switch.state', { label, state: t(`ops.switch.${word}`) })}
        </StatusDot>
        {off !== null && (
          <span className="text-12 break-words text-faint">
            <Time at={off.at} /> · {off.by} · {off.reason}
          </span>
        )}
      </div>
      {onChange && (
        <Button
          onClick={onChange}
          aria-label={t(off === null ? 'ops.switch.offOf' : 'ops.switch.onOf', { label, name })}
        >
          {t(off === null ? 'ops.switch.turnOff' : 'ops.switch.turnOn')}
        </Button>
      )}
    </div>
  );
}
