import type { User } from '@causeway/contract/identity.ts';
import type { Passkey } from '@causeway/contract/identity-account.ts';
import { passkeysMax } from '@causeway/contract/identity-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { usePasskeys, useRemovePasskey } from '../api.ts';
import { hasPasskeys } from '../load-passkeys.ts';
import { AddPasskey } from './add-passkey.tsx';
import { EntryList } from './entry-list.tsx';
import { ProofDialog } from './proof-dialog.tsx';
import { RenamePasskey } from './rename-passkey.tsx';

/** The passkeys of the person signed in: seen, added, renamed, removed. */
export function PasskeysCard({ user }: { user: User }) {
  const t = useText();
  const passkeys = usePasskeys();
  const remove = useRemovePasskey();
  const [adding, setAdding] = useState(false);
  const [renaming, setRenaming] = useState<Passkey | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const able = hasPasskeys();
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
              tag: passkey.suspected ? (
                <Tag tone="negative">{t('identity.passkey.suspected')}</Tag>
              ) : passkey.synced ? (
                <Tag>{t('identity.passkey.synced')}</Tag>
              ) : null,
              facts: [
                [t('identity.passkey.added'), <Time key="at" at={passkey.createdAt} dateOnly />],
                [
                  t('identity.passkey.lastUsed'),
                  passkey.lastUsedAt === null ? t('identity.never') : <Time key="at" at={passkey.lastUsedAt} />,
                ],
              ],
              note: passkey.suspected ? <Banner kind="negative">{t('identity.passkey.suspectedText')}</Banner> : null,
              actions: (
                <>
                  <Button kind="quiet" size="small" onClick={() => setRenaming(passkey)}>
                    {t('identity.passkey.rename')}
                  </Button>
                  <IconButton
                    icon="trash"
                    size="small"
                    label={t('identity.passkey.removeNamed', { name: passkey.name })}
                    onClick={() => setRemoving(passkey)}
                  />
                </>
              ),
            }))}
          />
          {able ? (
            <Button icon="plus" disabled={(passkeys.data?.length ?? 0) >= passkeysMax} onClick={() => setAdding(true)}>
              {t('identity.passkey.add')}
            </Button>
          ) : (
            <p className="m-0 text-13 text-faint">{t('identity.passkey.unable')}</p>
          )}
        </Loading>
      )}
      {adding && <AddPasskey user={user} onClose={() => setAdding(false)} />}
      {renaming !== null && <RenamePasskey passkey={renaming} onClose={() => setRenaming(null)} />}
      {removing !== null && (
        <ProofDialog
          open
          onClose={() => setRemoving(null)}
          title={t('identity.passkey.removeTitle', { name: removing.name })}
          description={t('identity.passkey.removeText')}
          user={user}
          content={{ action: 'removePasskey', id: removing.id }}
          submitText={t('identity.passkey.remove')}
          negative
          onProved={async (proof) => {
            await remove.mutateAsync({ params: { id: removing.id }, body: { proof } });
            toast('success', t('identity.passkey.removed'));
            setRemoving(null);
          }}
        />
      )}
    </Card>
  );
}
