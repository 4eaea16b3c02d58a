import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { notify } from '../../notices/index.ts';
import { findPeople } from '../../organisation/index.ts';

/** Of security are those that follow a member's change: their mails cannot be switched off. */
export type WebhookNotice =
  | 'security.webhookAdded'
  | 'security.webhookMoved'
  | 'security.webhookRevealed'
  | 'security.webhookRotated'
  | 'organisation.webhookGone'
  | 'organisation.webhookFailing';

/** Notifies the members who manage the company's settings, by a notice and by mail. */
export async function tellAdministrators(
  tx: Tx,
  kind: WebhookNotice,
  values: { url: string; by?: string },
): Promise<void> {
  const people = await findPeople(tx);
  const to = people.filter(({ status, permissions }) => status === 'active' && permissions.includes('setting.manage'));
  await notify(tx, {
    kind,
    sourceId: newId(),
    values: { by: '', ...values },
    link: '/app/webhooks',
    to: to.map(({ id }) => id),
  });
}
