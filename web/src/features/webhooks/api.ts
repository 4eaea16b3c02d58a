import { sendUserCode } from 'virtual:calls/identity';
import {
  addWebhook,
  editWebhook,
  endWebhookSecret,
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhooks,
  moveWebhook,
  removeWebhook,
  resendFailedWebhooks,
  resendWebhook,
  revealWebhookSecret,
  rotateWebhookSecret,
  setWebhookEnabled,
  testWebhook,
} from 'virtual:calls/webhooks';
import type { Webhook, WebhookDeliveryDetail } from '@causeway/contract/webhooks.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

export type { Webhook };
export type Delivery = WebhookDeliveryDetail;

const shown = [listWebhooks, listWebhookDeliveries, getWebhookDelivery] as const;
invalidateOn(['webhook'], shown);
const changes = { invalidates: shown };

export function useWebhooks() {
  return useCall(listWebhooks, {}, { quiet: true });
}

export function useDelivery(id: string) {
  return useCall(getWebhookDelivery, { params: { id } }, { quiet: true });
}

export const useSendCode = () => useMutationCall(sendUserCode);

/** Its refusals are the form's to say. */
const inForm = { ...changes, quiet: true };
export const useAddWebhook = () => useMutationCall(addWebhook, inForm);
export const useMoveWebhook = () => useMutationCall(moveWebhook, inForm);
export const useRevealSecret = () => useMutationCall(revealWebhookSecret, inForm);
export const useRotateSecret = () => useMutationCall(rotateWebhookSecret, inForm);

export const useEditWebhook = () => useMutationCall(editWebhook, changes);
export const useSetWebhookEnabled = () => useMutationCall(setWebhookEnabled, changes);
export const useRemoveWebhook = () => useMutationCall(removeWebhook, changes);
export const useEndSecret = () => useMutationCall(endWebhookSecret, changes);
export const useTestWebhook = () => useMutationCall(testWebhook, changes);
export const useResendWebhook = () => useMutationCall(resendWebhook, changes);
export const useResendFailed = () => useMutationCall(resendFailedWebhooks, changes);
