import type { QueueItem } from '@causeway/contract/operator-queue.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { urgencyTones } from '../words.ts';

/** What sort of item it is, and how urgent; the colour only repeats the word. */
export function ItemKind({ item: { kind, urgency } }: { item: Pick<QueueItem, 'kind' | 'urgency'> }) {
  const t = useText();
  return (
    <StatusDot tone={urgencyTones[urgency]} detail={t(`ops.queue.urgency.${urgency}`)}>
      <span className="whitespace-normal">{t(`ops.queue.kind.${kind}`)}</span>
    </StatusDot>
  );
}
