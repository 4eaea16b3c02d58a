import type { OperatorSession } from '@causeway/contract/operator.ts';
import { operatorIdleMinutes, operatorSessionHours } from '@causeway/contract/operator-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Tag } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { EntryList, useDeviceName } from '../../identity/index.ts';
import { useEndSession, useSessions } from '../api.ts';

/** Where the operator is signed in, and the way to end it there. */
export function SessionsCard() {
  const t = useText();
  const sessions = useSessions();
  const deviceName = useDeviceName();
  const end = useEndSession();
  const [ending, setEnding] = useState<OperatorSession | null>(null);
  const close = () => setEnding(null);
  const confirm = async (id: string) => {
    await end.mutateAsync({ params: { id } });
    toast('success', t('identity.session.ended'));
    close();
  };
  return (
    <Card title={t('identity.session.title')}>
      <p className="mt-0 mb-5 max-w-160 text-13 text-muted">
        {t('ops.account.sessions', { minutes: operatorIdleMinutes, hours: operatorSessionHours })}
      </p>
      {sessions.data === undefined && sessions.error !== null ? (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : (
        <Loading loading={sessions.data === undefined} skeleton={<Skeleton height="h-28" />}>
          <EntryList
            label={t('identity.session.title')}
            entries={(sessions.data ?? []).map((session) => ({
              key: session.id,
              title: deviceName(session),
              tag: session.isCurrent ? <Tag tone="positive">{t('identity.session.current')}</Tag> : null,
              facts: [
                [t('identity.session.ip'), session.ip],
                [t('ops.field.factor'), t(`ops.factor.${session.factor}`)],
                [t('identity.session.started'), <Time key="at" at={session.createdAt} />],
                [t('identity.session.lastActive'), <Time key="at" at={session.lastSeenAt} />],
              ],
              actions: session.isCurrent ? undefined : (
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
        </Loading>
      )}
      <ConfirmDialog
        open={ending !== null}
        onOpenChange={(open) => open || close()}
        title={t('identity.session.endTitle')}
        description={t('identity.session.endText')}
        {...(ending && {
          facts: [
            { term: deviceName(ending), value: ending.ip },
            { term: t('identity.session.lastActive'), value: <Time at={ending.lastSeenAt} /> },
          ],
        })}
        confirmText={t('identity.session.end')}
        negative
        busy={end.isPending}
        onConfirm={() => ending && void confirm(ending.id).catch(close)}
      />
    </Card>
  );
}
