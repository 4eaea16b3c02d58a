import { passkeysMax } from '@causeway/contract/identity-rules.ts';
import type { OperatorPasskey } from '@causeway/contract/operator.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { EntryList, hasPasskeys } from '../../identity/index.ts';
import { usePasskeys, useRemovePasskey } from '../api.ts';
import { AddPasskey } from './add-passkey.tsx';
import { ProofForm } from './proof-form.tsx';

/** The passkeys of the operator signed in: seen, added, removed. */
export function PasskeysCard() {
  const t = useText();
  const passkeys = usePasskeys();
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<OperatorPasskey | null>(null);
  return (
    <Card title={t('identity.passkey.title')}>
      <p className="mt-0 mb-5 max-w-160 text-13 text-muted">{t('identity.passkey.intro')}</p>
      {passkeys.data === undefined && passkeys.error !== null ? (
        <ErrorState error={passkeys.error} onRetry={() => void passkeys.refetch()} />
      ) : (
        <Loading loading={passkeys.data === undefined} skeleton={<Skeleton height="h-14" />}>
          <EntryList
            label={t('identity.passkey.title')}
            entries={(passkeys.data ?? []).map((passkey) => ({
              key: passkey.id,
              title: passkey.name,
              tag: passkey.suspected ? <Tag tone="negative">{t('identity.passkey.suspected')}</Tag> : null,
              facts: [
                [t('identity.passkey.added'), <Time key="at" at={passkey.createdAt} dateOnly />],
                [
                  t('identity.passkey.lastUsed'),
                  passkey.lastUsedAt === null ? t('identity.never') : <Time key="at" at={passkey.lastUsedAt} />,
                ],
              ],
              note: passkey.suspected ? <Banner kind="negative">{t('identity.passkey.suspectedText')}</Banner> : null,
              actions: (
                <IconButton
                  icon="trash"
                  size="small"
                  label={t('identity.passkey.removeNamed', { name: passkey.name })}
                  onClick={() => setRemoving(passkey)}
                />
              ),
            }))}
          />
          {hasPasskeys() ? (
            <Button icon="plus" disabled={(passkeys.data?.length ?? 0) >= passkeysMax} onClick={() => setAdding(true)}>
              {t('identity.passkey.add')}
            </Button>
          ) : (
            <p className="m-0 text-13 text-faint">{t('identity.passkey.unable')}</p>
          )}
        </Loading>
      )}
      {adding && <AddPasskey onClose={() => setAdding(false)} />}
      {removing !== null && <RemovePasskey passkey={removing} onClose={() => setRemoving(null)} />}
    </Card>
  );
}

function RemovePasskey({ passkey, onClose }: { passkey: OperatorPasskey; onClose: () => void }) {
  const t = useText();
  const remove = useRemovePasskey();
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={t('identity.passkey.removeTitle', { name: passkey.name })}
      description={t('identity.passkey.removeText')}
    >
      <ProofForm
        negative
        submitText={t('identity.passkey.remove')}
        onProved={async (body) => {
          await remove.mutateAsync({ params: { id: passkey.id }, body });
          toast('success', t('identity.passkey.removed'));
          onClose();
        }}
        onCancel={onClose}
      />
    </Dialog>
  );
}
