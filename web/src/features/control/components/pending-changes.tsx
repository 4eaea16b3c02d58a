import type { ControlKind } from '@causeway/contract/control-rules.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Banner } from '../../../ui/states.tsx';
import { type PendingChange, usePendingChanges } from '../api.ts';
import { ChangeLink } from './change-link.tsx';
import { StopChange, TakeBack } from './stop-change.tsx';

interface Props {
  /** Which kinds belong to the page. */
  kinds: readonly ControlKind[];
  /** Of one member, role or policy; all of them without it. */
  subjectId?: string;
  /** With a space below, where the container gives none. */
  spaced?: boolean;
}

/** What waits for another person or for its time, on the page that it will change. */
export function PendingChanges({ kinds, subjectId, spaced }: Props) {
  const items = usePendingChanges().data?.items ?? [];
  const shown = items.filter(
    ({ control }) =>
      control !== null && kinds.includes(control.kind) && (subjectId === undefined || control.subjectId === subjectId),
  );
  if (shown.length === 0) return null;
  return (
    <div className={`flex flex-col gap-2 ${spaced ? 'mb-4' : ''}`}>
      {shown.map((change) => (
        <Pending key={change.taskId} change={change} />
      ))}
    </div>
  );
}

function Pending({ change }: { change: PendingChange }) {
  const t = useText();
  const formats = useFormats();
  const { taskId, name, by, effectiveAt, expiresAt, mayDecide, mayStop, mayWithdraw } = change;
  return (
    <Banner
      kind="pending"
      action={
        <span className="flex flex-wrap items-center justify-end gap-3">
          {mayDecide && (
            <ChangeLink taskId={taskId} own className="font-medium text-accent underline">
              {t('control.pending.decide')}
            </ChangeLink>
          )}
          <TakeBack taskId={taskId} name={name} offered={mayWithdraw} />
          <StopChange taskId={taskId} name={name} offered={mayStop && !mayWithdraw} />
        </span>
      }
    >
      <ChangeLink taskId={taskId} own className="font-medium text-accent" otherwise={name}>
        {name}
      </ChangeLink>
      <span className="block text-muted wrap-anywhere">
        {effectiveAt === null
          ? t('control.pending.consent', { name: by.name, time: formats.dateTime(expiresAt) })
          : t('control.pending.waits', { name: by.name, time: formats.dateTime(effectiveAt) })}
      </span>
    </Banner>
  );
}
