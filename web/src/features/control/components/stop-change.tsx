import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { useStopChange, useTakeBack } from '../api.ts';

interface Props {
  taskId: string;
  /** What the change is called. */
  name: string;
  /** Whether the reader may do so now; what the server says of it once asked stays, whatever this becomes. */
  offered: boolean;
}

/** Stops a change before it takes effect; for everybody who approves or administers. */
export function StopChange({ taskId, name, offered }: Props) {
  const [asking, setAsking] = useState(false);
  const t = useText();
  const stop = useStopChange(() => {
    setAsking(false);
    toast('success', t('control.stop.done'));
  });
  return (
    <Question
      what="stop"
      name={name}
      asking={asking}
      onAsking={setAsking}
      busy={stop.isPending}
      offered={offered}
      onConfirm={() => stop.mutate({ body: { id: taskId } })}
    />
  );
}

/** Takes back what the reader proposed. */
export function TakeBack({ taskId, name, offered }: Props) {
  const [asking, setAsking] = useState(false);
  const t = useText();
  const takeBack = useTakeBack(() => {
    setAsking(false);
    toast('success', t('control.takeBack.done'));
  });
  return (
    <Question
      what="takeBack"
      name={name}
      asking={asking}
      onAsking={setAsking}
      busy={takeBack.isPending}
      offered={offered}
      onConfirm={() => takeBack.mutate({ body: { id: taskId } })}
    />
  );
}

interface QuestionProps extends Omit<Props, 'taskId'> {
  what: 'stop' | 'takeBack';
  asking: boolean;
  onAsking: (asking: boolean) => void;
  busy: boolean;
  onConfirm: () => void;
}

function Question({ what, name, offered, asking, onAsking, busy, onConfirm }: QuestionProps) {
  const t = useText();
  return (
    <>
      {offered && (
        <Button kind={what === 'stop' ? 'negative' : 'secondary'} onClick={() => onAsking(true)}>
          {t(`control.${what}`)}
        </Button>
      )}
      <ConfirmDialog
        open={asking}
        onOpenChange={onAsking}
        title={t(`control.${what}.title`)}
        description={t(`control.${what}.text`)}
        facts={[{ term: t('control.change'), value: name }]}
        confirmText={t(`control.${what}`)}
        cancelText={t('control.keep')}
        negative
        busy={busy}
        onConfirm={onConfirm}
      />
    </>
  );
}
