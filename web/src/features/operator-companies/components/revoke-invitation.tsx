import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Time } from '../../../ui/time.tsx';
import { useRevoke } from '../api.ts';

/** Takes back a code that no one has used; it cannot be given back. */
export function RevokeInvitation({
  invitation: { id, note, expiresAt },
}: {
  invitation: { id: string; note: string; expiresAt: string };
}) {
  const t = useText();
  const mayInvite = usePermission('operator.invite');
  const [asked, setAsked] = useState(false);
  const revoke = useRevoke();
  if (!mayInvite) return null;
  return (
    <>
      <Button size="small" aria-label={t('ops.companies.revokeOf', { note })} onClick={() => setAsked(true)}>
        {t('ops.companies.revoke')}
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={t('ops.companies.revokeAsk')}
        description={t('ops.companies.revokeText')}
        facts={[
          { term: t('ops.companies.field.for'), value: note },
          { term: t('ops.companies.field.expiresAt'), value: <Time at={expiresAt} /> },
        ]}
        confirmText={t('ops.companies.revoke')}
        negative
        busy={revoke.isPending}
        onConfirm={() =>
          revoke.mutate(
            { params: { id } },
            {
              onSuccess: () => {
                toast('success', t('ops.companies.revoked'));
                setAsked(false);
              },
            },
          )
        }
      />
    </>
  );
}
