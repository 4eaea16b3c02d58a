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
} from '@causeway/contract/webhooks.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import * as endpoints from './service/endpoints.ts';
import * as log from './service/log.ts';

export function registerWebhookRoutes(given: Http, ports: endpoints.WebhookPorts): void {
  const http = withPorts(given, ports);
  route.read(http, listWebhooks, endpoints.list);
  route.open(http, addWebhook, 'slow work', endpoints.add);
  route.write(http, editWebhook, endpoints.edit);
  route.open(http, moveWebhook, 'slow work', endpoints.move);
  route.write(http, setWebhookEnabled, endpoints.setEnabled);
  route.write(http, removeWebhook, endpoints.remove);
  route.write(http, revealWebhookSecret, endpoints.reveal);
  route.write(http, rotateWebhookSecret, endpoints.rotate);
  route.write(http, endWebhookSecret, endpoints.endPrevious);
  route.write(http, testWebhook, log.sendTest);
  route.read(http, listWebhookDeliveries, log.listDeliveries);
  route.read(http, getWebhookDelivery, log.describeDelivery);
  route.write(http, resendWebhook, log.resend);
  route.write(http, resendFailedWebhooks, log.resendFailed);
}
