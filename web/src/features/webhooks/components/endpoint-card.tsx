import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { Menu, MenuItem, MenuLine } from '../../../ui/menu.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner } from '../../../ui/states.tsx';
import { StatusDot, type Tone } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useEndSecret, useRemoveWebhook, useSetWebhookEnabled, useTestWebhook, type Webhook } from '../api.ts';
import { EditDialog, MoveDialog, RevealDialog, RotateDialog } from './endpoint-dialogs.tsx';
import { ResendFailedDialog } from './resend-failed-dialog.tsx';

type Asking = 'edit' | 'move' | 'reveal' | 'rotate' | 'off' | 'remove' | 'end' | 'resend';

function stateOf({ enabled, failingSince }: Webhook): { tone: Tone; text: string } {
  if (!enabled) return { tone: 'neutral', text: 'webhooks.status.off' };
  if (failingSince !== null) return { tone: 'negative', text: 'webhooks.status.failing' };
  return { tone: 'positive', text: 'webhooks.status.on' };
}

/** One endpoint: how it does, and what can be done with it. */
export function EndpointCard({ webhook }: { webhook: Webhook }) {
  const t = useText();
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = () => setAsking(null);
  const switching = useSetWebhookEnabled();
  const testing = useTestWebhook();
  const { id, url, description, events, enabled, off, previousUntil, failingSince, waiting, deliveredAt } = webhook;
  const { tone, text } = stateOf(webhook);
  return (
    <Card
      title={description || new URL(url).host}
      aside={
        <div className="flex items-center gap-2">
          <Button
            size="small"
            disabled={!enabled}
            busy={testing.isPending}
            onClick={() =>
              testing.mutate({ body: { id } }, { onSuccess: () => toast('success', t('webhooks.tested')) })
            }
          >
            {t('webhooks.test')}
          </Button>
          <Menu
            trigger={<IconButton icon="more" label={t('webhooks.more', { name: description || url })} size="small" />}
          >
            <MenuItem onSelect={() => setAsking('edit')}>{t('webhooks.edit')}</MenuItem>
            <MenuItem onSelect={() => setAsking('move')}>{t('webhooks.move')}</MenuItem>
            <MenuItem onSelect={() => setAsking('reveal')}>{t('webhooks.reveal')}</MenuItem>
            <MenuItem onSelect={() => setAsking('rotate')}>{t('webhooks.rotate')}</MenuItem>
            <MenuItem disabled={!enabled} onSelect={() => setAsking('resend')}>
              {t('webhooks.resendFailed')}
            </MenuItem>
            <MenuLine />
            {enabled ? (
              <MenuItem onSelect={() => setAsking('off')}>{t('webhooks.off')}</MenuItem>
            ) : (
              <MenuItem
                onSelect={() =>
                  switching.mutate(
                    { body: { id, enabled: true } },
                    { onSuccess: () => toast('success', t('webhooks.switchedOn')) },
                  )
                }
              >
                {t('webhooks.on')}
              </MenuItem>
            )}
            <MenuItem negative onSelect={() => setAsking('remove')}>
              {t('webhooks.remove')}
            </MenuItem>
          </Menu>
        </div>
      }
    >
      <div className="flex flex-col gap-4">
        {off !== null && off.reason !== 'member' && (
          <Banner kind="pending">{t(`webhooks.offReason.${off.reason}`)}</Banner>
        )}
        <DescriptionList
          facts={[
            {
              term: t('webhooks.field.url'),
              value: (
                <span className="flex min-w-0 items-center gap-1">
                  <span className="min-w-0 break-all font-mono text-13">{url}</span>
                  <CopyButton text={url} what={t('webhooks.field.url')} />
                </span>
              ),
            },
            { term: t('webhooks.field.status'), value: <StatusDot tone={tone}>{t(text)}</StatusDot> },
            ...(failingSince === null || !enabled
              ? []
              : [{ term: t('webhooks.field.failingSince'), value: <Time at={failingSince} /> }]),
            ...(off === null ? [] : [{ term: t('webhooks.field.offAt'), value: <Time at={off.at} /> }]),
            {
              term: t('webhooks.field.events'),
              value:
                events === null
                  ? t('webhooks.field.eventsAll')
                  : t('webhooks.field.eventsCount', { count: events.length }),
            },
            {
              term: t('webhooks.field.waiting'),
              value: (
                <PlainLink href={`/app/webhooks/deliveries?endpointId=${id}`} className="figures text-accent">
                  {t('webhooks.field.waitingCount', { count: waiting })}
                </PlainLink>
              ),
            },
            {
              term: t('webhooks.field.deliveredAt'),
              value: deliveredAt === null ? t('webhooks.field.never') : <Time at={deliveredAt} />,
            },
            {
              term: t('webhooks.field.createdBy'),
              value: (
                <span className="flex flex-wrap items-baseline gap-x-2">
                  {webhook.createdBy.name}
                  <span className="text-faint">
                    <Time at={webhook.createdAt} />
                  </span>
                </span>
              ),
            },
            ...(previousUntil === null
              ? []
              : [
                  {
                    term: t('webhooks.field.previous'),
                    value: (
                      <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
                        <Time at={previousUntil} />
                        <Button size="small" onClick={() => setAsking('end')}>
                          {t('webhooks.endPrevious')}
                        </Button>
                      </span>
                    ),
                  },
                ]),
          ]}
        />
      </div>
      {asking === 'edit' && <EditDialog webhook={webhook} onClose={close} />}
      {asking === 'move' && <MoveDialog webhook={webhook} onClose={close} />}
      {asking === 'reveal' && <RevealDialog webhook={webhook} onClose={close} />}
      {asking === 'rotate' && <RotateDialog webhook={webhook} onClose={close} />}
      {asking === 'resend' && <ResendFailedDialog webhook={webhook} onClose={close} />}
      <Confirmations webhook={webhook} asking={asking} onClose={close} />
    </Card>
  );
}

/** Steps that need no code and are confirmed once. */
function Confirmations({ webhook, asking, onClose }: { webhook: Webhook; asking: Asking | null; onClose: () => void }) {
  const t = useText();
  const switching = useSetWebhookEnabled();
  const removing = useRemoveWebhook();
  const ending = useEndSecret();
  const { id, url } = webhook;
  const facts = [{ term: t('webhooks.field.url'), value: url }];
  const done = (text: string) => ({
    onSuccess: () => {
      onClose();
      toast('success', t(text));
    },
  });
  return (
    <>
      <ConfirmDialog
        open={asking === 'off'}
        onOpenChange={(open) => open || onClose()}
        title={t('webhooks.off')}
        description={t('webhooks.off.text')}
        facts={facts}
        confirmText={t('webhooks.off')}
        busy={switching.isPending}
        onConfirm={() => switching.mutate({ body: { id, enabled: false } }, done('webhooks.switchedOff'))}
      />
      <ConfirmDialog
        open={asking === 'remove'}
        onOpenChange={(open) => open || onClose()}
        title={t('webhooks.remove')}
        description={t('webhooks.remove.text')}
        facts={facts}
        confirmText={t('webhooks.remove')}
        negative
        busy={removing.isPending}
        onConfirm={() => removing.mutate({ params: { id } }, done('webhooks.removed'))}
      />
      <ConfirmDialog
        open={asking === 'end'}
        onOpenChange={(open) => open || onClose()}
        title={t('webhooks.endPrevious')}
        description={t('webhooks.endPrevious.text')}
        facts={facts}
        confirmText={t('webhooks.endPrevious')}
        negative
        busy={ending.isPending}
        onConfirm={() => ending.mutate({ body: { id } }, done('webhooks.ended'))}
      />
    </>
  );
}
