import {
  type WebhookDeliveryState,
  webhookDeliveryStates,
  webhookLoggedTypes,
} from '@causeway/contract/webhooks-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** Text ids by value, for filters. */
export const stateTexts = Object.fromEntries(webhookDeliveryStates.map((state) => [state, `webhooks.state.${state}`]));
export const typeTexts = Object.fromEntries(webhookLoggedTypes.map((type) => [type, `webhooks.type.${type}`]));

export const stateTones: Record<WebhookDeliveryState, Tone> = {
  waiting: 'pending',
  delivered: 'positive',
  failed: 'negative',
};
