import { createHash } from 'node:crypto';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { type WebhookContent, webhookContent } from '@causeway/contract/webhooks.ts';
import * as z from 'zod/mini';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { fieldMessages } from '../../../platform/http/call-input.ts';
import type { Session } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { CodeFact } from '../../identity/index.ts';
import { findEndpoint } from '../store/endpoints.ts';

/** What the routes bind. */
export interface ProofPorts {
  /** Uses up the code that proves it. Throws codeWrong, codeBurnt, transferCodeMismatch, mfaNotBound, codeForAdministrator */
  verifyWebhookCode(
    tx: Tx,
    request: { session: Session; method: CodeMethod; code: string; digest: string },
  ): Promise<{ method: string; id: string }>;
}

/** The address as it is asked: without a fragment, which is not sent. */
export function addressOf(text: string): string {
  const url = new URL(text);
  url.hash = '';
  return url.href;
}

/** SHA-256, hex, of what a code confirms, in one fixed form. */
export function webhookDigest(companyId: string, { action, id, url }: WebhookContent): string {
  const parts = ['causeway.webhook.1', companyId, action, id, url === undefined ? null : addressOf(url)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What a code for an endpoint is bound to, and the facts that its mail repeats. @throws DomainError validationFailed, notFound */
export async function describeWebhookSubject(
  tx: Tx,
  session: Session,
  content: Record<string, unknown>,
  locale: Locale,
): Promise<{ digest: string; facts: CodeFact[] }> {
  const parsed = z.safeParse(webhookContent, content);
  if (!parsed.success) throw new DomainError('validationFailed', {}, fieldMessages(parsed.error, content));
  const { action, id, url } = parsed.data;
  const isOfAddress = action === 'add' || action === 'move';
  if (isOfAddress !== (url !== undefined)) throw new DomainError('validationFailed', {}, { url: 'field.required' });
  const known = action === 'add' ? null : await findEndpoint(tx, id);
  if (action !== 'add' && known === null) throw new DomainError('notFound');
  const address = url === undefined ? (known?.url ?? '') : addressOf(url);
  const what = translate(locale, `webhook.code.${action}`);
  return {
    digest: webhookDigest(session.companyId, parsed.data),
    facts: [
      { label: translate(locale, 'webhook.code.what'), value: what, headline: what },
      { label: translate(locale, 'webhook.code.address'), value: address },
    ],
  };
}
