import { useState } from 'react';
import type { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { useStopChange, useTakeBack } from '../api.ts';

interface Props {
  taskId: string;
  /** What the change is called. */
  name: string;
}

/** Stops a change before it takes effect; for everybody who approves or administers. */
export function StopChange({ taskId, name }: Props) {
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
      onConfirm={(onError) => stop.mutate({ body: { id: taskId } }, { onError })}
    />
  );
}

/** Takes back what the reader proposed. */
export function TakeBack({ taskId, name }: Props) {
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
      onConfirm={(onError) => takeBack.mutate({ body: { id: taskId } }, { onError })}
    />
  );
}

interface QuestionProps {
  what: 'stop' | 'takeBack';
  name: string;
  asking: boolean;
  onAsking: (asking: boolean) => void;
  busy: boolean;
  onConfirm: (onError: (error: ApiError) => void) => void;
}

function Question({ what, name, asking, onAsking, busy, onConfirm }: QuestionProps) {
  const t = useText();
  // Too late: the page shows what became of it.
  const late = (error: ApiError) => error.refused && onAsking(false);
  return (
    <>
      <Button kind={what === 'stop' ? 'negative' : 'secondary'} onClick={() => onAsking(true)}>
        {t(`control.${what}`)}
      </Button>
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
        onConfirm={() => onConfirm(late)}
      />
    </>
  );
}
