import type { WebhookOffReason } from '@causeway/contract/webhooks-rules.ts';
import { type Actor, audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { failWaiting } from '../store/deliveries.ts';
import { type EndpointRow, switchOff } from '../store/endpoints.ts';
import { tellAdministrators } from './telling.ts';

/** Switches an endpoint off: what waits for it fails and can be resent. Administrators are notified where no member did it. */
export async function turnOff(
  tx: Tx,
  { id, url }: Pick<EndpointRow, 'id' | 'url'>,
  reason: WebhookOffReason,
  { actor, at }: { actor: Actor; at: Date },
): Promise<void> {
  await switchOff(tx, id, reason, at);
  await failWaiting(tx, id, at);
  await audit(tx, {
    actor,
    action: 'webhooks.disable',
    subjectKind: 'webhook',
    subjectId: id,
    detail: { name: url, off: reason },
  });
  if (reason !== 'member') {
    await tellAdministrators(tx, reason === 'gone' ? 'organisation.webhookGone' : 'organisation.webhookFailing', {
      url,
    });
  }
}
