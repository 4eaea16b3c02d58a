import { type WebhookEventType, webhookEventTypes, webhookUrlMaxLength } from '@causeway/contract/webhooks-rules.ts';
import type { FieldProblem } from '../../ui/form-state.ts';

/** What of an endpoint is typed. */
export interface EndpointValues {
  description: string;
  /** All types, those of later versions included, or the chosen ones. */
  which: 'all' | 'some';
  events: WebhookEventType[];
}

export const newEndpoint: EndpointValues = { description: '', which: 'all', events: [...webhookEventTypes] };

export function endpointValues(description: string, events: readonly WebhookEventType[] | null): EndpointValues {
  return { description, which: events === null ? 'all' : 'some', events: [...(events ?? webhookEventTypes)] };
}

export function eventsOf({ which, events }: EndpointValues): WebhookEventType[] | null {
  return which === 'all' ? null : events;
}

export function checkUrl({ url }: { url: string }): readonly FieldProblem[] {
  const text = url.trim();
  if (text === '') return [{ path: ['url'], message: 'field.required' }];
  if (text.length > webhookUrlMaxLength) return [{ path: ['url'], message: 'field.tooLong' }];
  // The server says where an installation also takes http, as the sandbox does.
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? []
    : [{ path: ['url'], message: 'field.webhookUrl' }];
}

export function checkEvents(values: EndpointValues): readonly FieldProblem[] {
  return eventsOf(values)?.length === 0 ? [{ path: ['events'], message: 'field.webhookEvents' }] : [];
}
