import { webhookEventTypes, webhookRetrySeconds } from '@causeway/contract/webhooks-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { JsonText } from '../components/json-text.tsx';
import { WebhookTabs } from '../components/webhook-tabs.tsx';
import { exampleOf } from '../examples.ts';

const points = ['verify', 'id', 'order', 'answer', 'retries', 'off'] as const;

const verifying = `import { Webhook } from 'standardwebhooks';

const event = new Webhook(process.env.WEBHOOK_SECRET).verify(rawBody, request.headers);`;

/** What is sent when, how it is verified, and an example of each type. */
export function Page() {
  const t = useText();
  return (
    <Frame intro={t('webhooks.events.intro')}>
      <WebhookTabs />
      <Card title={t('webhooks.events.how')}>
        <ul className="m-0 flex flex-col gap-2 pl-5 text-14">
          {points.map((point) => (
            <li key={point}>{t(`webhooks.events.${point}`, { count: webhookRetrySeconds.length + 1 })}</li>
          ))}
        </ul>
        <JsonText text={verifying} label={t('webhooks.events.verifying')} />
      </Card>
      <Card title={t('webhooks.events.types')}>
        <ul className="m-0 flex list-none flex-col p-0">
          {webhookEventTypes.map((type) => (
            <li key={type} className="border-b border-line py-3 first:pt-0 last:border-b-0 last:pb-0">
              <details>
                <summary className="cursor-pointer">
                  <span className="font-medium">{t(`webhooks.type.${type}`)}</span>{' '}
                  <code className="font-mono text-12 text-faint">{type}</code>
                </summary>
                <JsonText text={exampleOf(type)} label={t('webhooks.events.example', { type })} />
              </details>
            </li>
          ))}
        </ul>
      </Card>
    </Frame>
  );
}
