import { webhookKeepHours, webhookKeepHoursDefault } from '@causeway/contract/webhooks-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Checked, type Fields, useFields } from '../../../ui/form-state.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import {
  useAddWebhook,
  useEditWebhook,
  useMoveWebhook,
  useRevealSecret,
  useRotateSecret,
  type Webhook,
} from '../api.ts';
import { checkEvents, checkUrl, type EndpointValues, endpointValues, eventsOf, newEndpoint } from '../values.ts';
import { EndpointFields } from './endpoint-fields.tsx';
import { type Proof, ProvedDialog } from './proved-dialog.tsx';

type Url = { url: string };
const checkAdd = (values: Url & EndpointValues) => [...checkUrl(values), ...checkEvents(values)];

function UrlField<Values extends Url>({ fields }: { fields: Fields<Values, Values> }) {
  const t = useText();
  return (
    <TextField
      label={t('webhooks.field.url')}
      hint={t('webhooks.field.urlHint')}
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      {...fields.text('url')}
    />
  );
}

/** Makes an endpoint, then shows its secret. */
export function AddDialog({ onClose }: { onClose: () => void }) {
  const t = useText();
  const add = useAddWebhook();
  // Chosen once, so that a form sent twice is one endpoint.
  const [id] = useState(() => newId());
  return (
    <ProvedDialog<Url & EndpointValues>
      title={t('webhooks.add')}
      text={t('webhooks.add.text')}
      confirmText={t('webhooks.add')}
      defaults={{ url: '', ...newEndpoint }}
      check={checkAdd}
      content={({ url }) => ({ action: 'add', id, url: url.trim() })}
      fields={(fields) => (
        <>
          <UrlField fields={fields} />
          <EndpointFields fields={fields} />
        </>
      )}
      onSubmit={async ({ codeMethod, code, url, ...values }) => {
        const { description } = values;
        const body = { id, url: url.trim(), description, events: eventsOf(values), codeMethod, code };
        const { secret } = await add.mutateAsync({ body });
        toast('success', t('webhooks.added'));
        return secret;
      }}
      onClose={onClose}
    />
  );
}

interface Props {
  webhook: Webhook;
  onClose: () => void;
}

const checkEdit = (values: EndpointValues): Checked<EndpointValues> => {
  const problems = checkEvents(values);
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
};

export function EditDialog({ webhook, onClose }: Props) {
  const t = useText();
  const edit = useEditWebhook();
  const fields = useFields<EndpointValues, EndpointValues>({
    check: checkEdit,
    defaults: endpointValues(webhook.description, webhook.events),
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || fields.submitting || onClose()}
      title={t('webhooks.edit')}
      description={webhook.url}
    >
      <Form
        fields={fields}
        label={t('webhooks.edit')}
        onSubmit={async (values) => {
          const { description } = values;
          await edit.mutateAsync({ body: { id: webhook.id, description, events: eventsOf(values) } });
          toast('success', t('webhooks.saved'));
          onClose();
        }}
      >
        <EndpointFields fields={fields} />
        <div className="flex flex-wrap justify-end gap-3 border-t border-line pt-5">
          <Button disabled={fields.submitting} onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" kind="primary" busy={fields.submitting}>
            {t('webhooks.save')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

export function MoveDialog({ webhook, onClose }: Props) {
  const t = useText();
  const move = useMoveWebhook();
  return (
    <ProvedDialog<Url>
      title={t('webhooks.move')}
      text={t('webhooks.move.text')}
      confirmText={t('webhooks.save')}
      facts={[{ term: t('webhooks.move.from'), value: webhook.url }]}
      defaults={{ url: webhook.url }}
      check={checkUrl}
      content={({ url }) => ({ action: 'move', id: webhook.id, url: url.trim() })}
      fields={(fields) => <UrlField fields={fields} />}
      onSubmit={async ({ url, ...proof }) => {
        await move.mutateAsync({ body: { id: webhook.id, url: url.trim(), ...proof } });
        toast('success', t('webhooks.saved'));
        return null;
      }}
      onClose={onClose}
    />
  );
}

const nothingWrong = () => [];

export function RevealDialog({ webhook, onClose }: Props) {
  const t = useText();
  const reveal = useRevealSecret();
  return (
    <ProvedDialog<object>
      title={t('webhooks.reveal')}
      text={t('webhooks.reveal.text')}
      confirmText={t('webhooks.reveal')}
      facts={[{ term: t('webhooks.field.url'), value: webhook.url }]}
      defaults={{}}
      check={nothingWrong}
      content={() => ({ action: 'reveal', id: webhook.id })}
      onSubmit={async ({ codeMethod, code }: Proof) =>
        (await reveal.mutateAsync({ body: { id: webhook.id, codeMethod, code } })).secret
      }
      onClose={onClose}
    />
  );
}

export function RotateDialog({ webhook, onClose }: Props) {
  const t = useText();
  const rotate = useRotateSecret();
  return (
    <ProvedDialog<{ keepHours: string }>
      title={t('webhooks.rotate')}
      text={t('webhooks.rotate.text')}
      confirmText={t('webhooks.rotate')}
      facts={[{ term: t('webhooks.field.url'), value: webhook.url }]}
      defaults={{ keepHours: String(webhookKeepHoursDefault) }}
      check={nothingWrong}
      content={() => ({ action: 'rotate', id: webhook.id })}
      fields={(fields) => (
        <SelectField
          label={t('webhooks.rotate.keep')}
          options={webhookKeepHours.map((hours) => ({
            value: String(hours),
            label: hours === 0 ? t('webhooks.rotate.atOnce') : t('webhooks.rotate.hours', { hours }),
          }))}
          {...fields.value('keepHours')}
        />
      )}
      onSubmit={async ({ keepHours, ...proof }) => {
        const { secret } = await rotate.mutateAsync({
          body: { id: webhook.id, keepHours: Number(keepHours), ...proof },
        });
        toast('success', t('webhooks.rotated'));
        return secret;
      }}
      onClose={onClose}
    />
  );
}
