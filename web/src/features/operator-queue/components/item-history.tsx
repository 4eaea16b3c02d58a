import type { Output } from '@causeway/contract/call.ts';
import type { getQueueItem } from '@causeway/contract/operator-queue.ts';
import { useText } from '../../../lib/locale.tsx';
import type { Tone } from '../../../ui/status-dot.tsx';
import { type Stage, Timeline } from '../../../ui/timeline.tsx';

type Event = Output<typeof getQueueItem>['history'][number];

const tones: Record<Event['act'], Tone> = {
  opened: 'pending',
  taken: 'progress',
  handedOver: 'progress',
  released: 'neutral',
  commented: 'notice',
  resolved: 'positive',
  reopened: 'pending',
};

/** Everything that was done about an item, by whom; without a name it was the queue itself, which follows the causes. */
export function ItemHistory({ history }: { history: readonly Event[] }) {
  const t = useText();
  const said = ({ act, by, to }: Event) => {
    if (by === null) return t(`ops.queue.itself.${act}`);
    return t(`ops.queue.act.${act}`, { name: by.name, to: to?.name ?? '' });
  };
  const stages = history.map(
    (event): Stage => ({
      key: `${event.at} ${event.act}`,
      title: <span className="text-text">{said(event)}</span>,
      ...(event.text !== null && {
        detail: <span className="whitespace-pre-line wrap-anywhere">{event.text}</span>,
      }),
      at: event.at,
      tone: tones[event.act],
    }),
  );
  return <Timeline label={t('ops.queue.history')} stages={stages} />;
}
