import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Time } from '../../../ui/time.tsx';
import { openStanding } from '../../operator/index.ts';
import { useRevoke } from '../api.ts';

interface Props {
  invitation: { id: string; note: string; expiresAt: string };
}

/** Takes back a code that no one has used; it cannot be given back. */
export function RevokeInvitation({ invitation }: Props) {
  const t = useText();
  if (!usePermission('operator.invite')) return null;
  return (
    <Button
      size="small"
      aria-label={t('ops.companies.revokeOf', { note: invitation.note })}
      onClick={() => openStanding((close) => <Asking invitation={invitation} onClose={close} />)}
    >
      {t('ops.companies.revoke')}
    </Button>
  );
}

/** Asks before; a code that was used or taken back meanwhile can only be closed. */
function Asking({ invitation: { id, note, expiresAt }, onClose }: Props & { onClose: () => void }) {
  const t = useText();
  const revoke = useRevoke();
  const [isOver, setOver] = useState(false);
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('ops.companies.revokeAsk')}
      description={t('ops.companies.revokeText')}
      facts={[
        { term: t('ops.companies.field.for'), value: note },
        { term: t('ops.companies.field.expiresAt'), value: <Time at={expiresAt} /> },
      ]}
      confirmText={t('ops.companies.revoke')}
      negative
      busy={revoke.isPending}
      over={isOver ? t('ops.companies.revokeLate') : null}
      onConfirm={() =>
        revoke.mutate(
          { params: { id } },
          {
            onSuccess: () => {
              toast('success', t('ops.companies.revoked'));
              onClose();
            },
            onError: (error) => setOver(error.refused),
          },
        )
      }
    />
  );
}
