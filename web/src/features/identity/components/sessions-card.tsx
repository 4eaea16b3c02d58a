import type { UserSession } from '@causeway/contract/identity-account.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useEndOtherSessions, useEndSession, useSessions } from '../api.ts';
import { useDeviceName } from './device-name.ts';
import { EntryList } from './entry-list.tsx';

/** Where the person is signed in, and the way to end it there. */
export function SessionsCard() {
  const t = useText();
  const sessions = useSessions();
  const deviceName = useDeviceName();
  const endOne = useEndSession();
  const endOthers = useEndOtherSessions();
  const [ending, setEnding] = useState<UserSession | 'others' | null>(null);
  const close = () => setEnding(null);
  // A refusal is said by the dialog, which stays.
  const confirm = async () => {
    if (ending === 'others') await endOthers.mutateAsync({});
    else if (ending !== null) await endOne.mutateAsync({ params: { id: ending.id } });
    toast('success', t('identity.session.ended'));
    close();
  };
  const others = (sessions.data ?? []).filter(({ current }) => !current);
  return (
    <Card title={t('identity.session.title')}>
      <p className="mt-0 mb-5 max-w-160 text-13 text-muted">{t('identity.session.intro')}</p>
      {sessions.data === undefined && sessions.error !== null ? (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <Loading loading={sessions.data === undefined} skeleton={<Skeleton height="h-28" />}>
          <EntryList
            label={t('identity.session.title')}
            entries={(sessions.data ?? []).map((session) => ({
              key: session.id,
              title: deviceName(session),
              tag: session.current ? <Tag tone="positive">{t('identity.session.current')}</Tag> : null,
              facts: [
                [t('identity.session.ip'), session.ip],
                [t('identity.session.started'), <Time key="at" at={session.createdAt} />],
                [t('identity.session.lastActive'), <Time key="at" at={session.lastActiveAt} />],
              ],
              actions: session.current ? undefined : (
                <Button
                  size="small"
                  aria-label={t('identity.session.endNamed', { device: deviceName(session) })}
                  onClick={() => setEnding(session)}
                >
                  {t('identity.session.end')}
                </Button>
              ),
            }))}
          />
          {others.length > 0 && (
            <Button icon="signOut" onClick={() => setEnding('others')}>
              {t('identity.session.endOthers')}
            </Button>
          )}
        </Loading>
      )}
      <ConfirmDialog
        open={ending !== null}
        onOpenChange={(open) => open || close()}
        title={t(ending === 'others' ? 'identity.session.endOthersTitle' : 'identity.session.endTitle')}
        description={t('identity.session.endText')}
        facts={
          ending === null || ending === 'others'
            ? [{ term: t('identity.session.others'), value: others.length }]
            : [
                { term: deviceName(ending), value: ending.ip },
                { term: t('identity.session.lastActive'), value: <Time at={ending.lastActiveAt} /> },
              ]
        }
        confirmText={t(ending === 'others' ? 'identity.session.endOthers' : 'identity.session.end')}
        negative
        busy={endOne.isPending || endOthers.isPending}
        onConfirm={() => void confirm().catch(() => undefined)}
      />
    </Card>
  );
}
