import { webhookDescriptionMaxLength, webhookEventTypes } from '@causeway/contract/webhooks-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { Field } from '../../../ui/field.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { RadioField } from '../../../ui/radio-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { EndpointValues } from '../values.ts';

/** What an endpoint is called and which events it receives. */
export function EndpointFields<Values extends EndpointValues>({ fields }: { fields: Fields<Values, Values> }) {
  const t = useText();
  const { which, events } = fields.values;
  const toggle = (type: (typeof webhookEventTypes)[number]) => {
    const chosen = events.includes(type) ? events.filter((other) => other !== type) : [...events, type];
    fields.set('events', webhookEventTypes.filter((known) => chosen.includes(known)) as Values['events']);
  };
  return (
    <>
      <TextField
        label={t('webhooks.field.description')}
        hint={t('webhooks.field.descriptionHint')}
        maxLength={webhookDescriptionMaxLength}
        {...fields.text('description')}
      />
      <RadioField
        label={t('webhooks.field.events')}
        options={[
          { value: 'all', label: t('webhooks.field.eventsAll'), detail: t('webhooks.field.eventsAllHint') },
          { value: 'some', label: t('webhooks.field.eventsSome') },
        ]}
        {...fields.value('which')}
      />
      {which === 'some' && (
        <Field label={t('webhooks.field.eventsChosen')} group error={fields.error('events')}>
          {() => (
            <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
              {webhookEventTypes.map((type) => (
                <label key={type} className="flex items-start gap-2.5 text-14">
                  <input
                    type="checkbox"
                    name="events"
                    value={type}
                    checked={events.includes(type)}
                    onChange={() => toggle(type)}
                    className="mt-0.5 size-4 shrink-0 accent-accent"
                  />
                  <span className="min-w-0">
                    {t(`webhooks.type.${type}`)}
                    <span className="block font-mono text-12 break-all text-faint">{type}</span>
                  </span>
                </label>
              ))}
            </div>
          )}
        </Field>
      )}
    </>
  );
}
