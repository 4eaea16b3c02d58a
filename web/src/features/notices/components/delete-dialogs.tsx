import type { Notice } from '@causeway/contract/notices.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Time } from '../../../ui/time.tsx';
import { useDeleteNotice, useDeleteReadNotices } from '../center-api.ts';

interface OneProps {
  /** The one to be taken away; null while nothing is asked. */
  notice: Notice | null;
  onClose: () => void;
}

/** Asks before one notice is taken away. */
export function DeleteNotice({ notice, onClose }: OneProps) {
  const t = useText();
  const { busy, remove } = useDeleteNotice(() => {
    toast('success', t('notices.deleted', { count: 1 }));
    onClose();
  });
  return (
    <ConfirmDialog
      open={notice !== null}
      onOpenChange={(open) => open || onClose()}
      title={t('notices.delete.title')}
      description={t('notices.delete.text')}
      facts={
        notice === null
          ? []
          : [
              { term: t('notices.delete.notice'), value: notice.title },
              { term: t('notices.delete.at'), value: <Time at={notice.createdAt} /> },
            ]
      }
      confirmText={t('notices.delete')}
      negative
      busy={busy}
      onConfirm={() => notice && remove(notice.id)}
    />
  );
}

/** Asks before all that were read are taken away. */
export function DeleteRead({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useText();
  const mutation = useDeleteReadNotices((deleted) => {
    toast('success', t('notices.deleted', { count: deleted }));
    onClose();
  });
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={t('notices.deleteRead.title')}
      description={t('notices.deleteRead.text')}
      confirmText={t('notices.deleteRead')}
      negative
      busy={mutation.isPending}
      onConfirm={() => mutation.mutate({})}
    />
  );
}
