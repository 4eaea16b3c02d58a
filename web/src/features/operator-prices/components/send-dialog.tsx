import { useText } from '../../../lib/locale.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';

interface Props {
  title: string;
  audience: string;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before an announcement is sent at once: what is sent cannot be taken back. */
export function SendDialog({ title, audience, busy, onConfirm, onClose }: Props) {
  const t = useText();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('ops.announcements.sendTitle')}
      description={t('ops.announcements.sendText')}
      facts={[
        { term: t('ops.announcements.heading'), value: title },
        { term: t('ops.announcements.audience'), value: audience },
      ]}
      confirmText={t('ops.announcements.send')}
      busy={busy}
      onConfirm={onConfirm}
    />
  );
}
