import type { Output } from '@causeway/contract/call.ts';
import type { getQueueItem } from '@causeway/contract/operator-queue.ts';
import { useState } from 'react';
import { type Translate, useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ReasonDialog, useMe } from '../../operator/index.ts';
import { useHandOver, useReopen, useResolve, useTake } from '../api.ts';
import { HandOverDialog } from './hand-over-dialog.tsx';
import { ItemKind } from './item-kind.tsx';
import { useItemKeys } from './use-item-keys.ts';

type Item = Output<typeof getQueueItem>;

/** What can be done with an item, by its state and owner. */
export function ItemActions({ item }: { item: Item }) {
  const t = useText();
  const me = useMe();
  const [asked, setAsked] = useState<'handOver' | 'resolve' | 'reopen' | null>(null);
  const take = useTake();
  const handOver = useHandOver();
  const resolve = useResolve();
  const reopen = useReopen();
  const close = () => setAsked(null);
  const { id } = item;
  const isOpen = item.state === 'open';
  const isFree = isOpen && item.owner === null;
  const isMine = isOpen && item.owner?.id === me?.id;
  const isOver = asked === 'reopen' ? !item.canReopen : !isOpen;
  const over = asked === null || !isOver ? null : sayOver(item, asked, t);
  const takeIt = () => {
    if (!take.isPending) {
      take.mutate({ params: { id } }, { onSuccess: () => toast('success', t('ops.queue.taken')) });
    }
  };
  const giveBack = () =>
    handOver.mutate(
      { params: { id }, body: { to: null } },
      { onSuccess: () => toast('success', t('ops.queue.released')) },
    );
  useItemKeys(isFree ? takeIt : null);
  return (
    <>
      {item.canReopen && <Button onClick={() => setAsked('reopen')}>{t('ops.queue.reopen')}</Button>}
      {item.canResolve && <Button onClick={() => setAsked('resolve')}>{t('ops.queue.resolve')}</Button>}
      {isMine && (
        <Button busy={handOver.isPending} onClick={giveBack}>
          {t('ops.queue.giveBack')}
        </Button>
      )}
      {isOpen && <Button onClick={() => setAsked('handOver')}>{t('ops.queue.handOver')}</Button>}
      {isFree && (
        <Button kind="primary" busy={take.isPending} onClick={takeIt}>
          {t('ops.queue.take')}
        </Button>
      )}
      {asked === 'handOver' && <HandOverDialog id={id} owner={item.owner?.id ?? null} over={over} onClose={close} />}
      {(asked === 'resolve' || asked === 'reopen') && (
        <ReasonDialog
          title={t(`ops.queue.ask.${asked}`)}
          text={t(`ops.queue.askText.${asked}`)}
          submitText={t(`ops.queue.${asked}`)}
          facts={[
            { term: t('ops.queue.field.item'), value: item.title },
            { term: t('ops.queue.field.kind'), value: <ItemKind item={item} /> },
          ]}
          over={over}
          onSubmit={async ({ reason }) => {
            await (asked === 'resolve' ? resolve : reopen).mutateAsync({ params: { id }, body: { reason } });
            toast('success', t(asked === 'resolve' ? 'ops.queue.resolved' : 'ops.queue.reopened'));
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** What became of the item while a dialog about it was open. */
function sayOver({ history }: Item, asked: 'handOver' | 'resolve' | 'reopen', t: Translate): string {
  if (asked === 'reopen') return t('ops.over.reopened');
  const resolved = [...history].reverse().find(({ act }) => act === 'resolved');
  return resolved?.by ? t('ops.over.resolved', { name: resolved.by.name }) : t('ops.over.ended');
}
