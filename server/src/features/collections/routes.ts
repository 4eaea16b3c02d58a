import * as calls from '@causeway/contract/payment-requests.ts';
import * as publicCalls from '@causeway/contract/payment-requests-public.ts';
import { refundPaymentRequest } from '@causeway/contract/payment-requests-refund.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import type { SubmitPorts } from '../outgoing/index.ts';
import { createTransferKind, createTransferSubject } from '../transfers/index.ts';
import type { LinkPorts } from './links.ts';
import { accept, askRest, cancel, edit, settleByHand } from './service/decide.ts';
import { exportCsv } from './service/export.ts';
import { make } from './service/make.ts';
import { type PublicPorts, readPublic, stopReminders } from './service/public.ts';
import { refunding } from './service/refund.ts';
import { remind } from './service/remind.ts';
import { get, list, options } from './service/show.ts';

/** A company's payment requests, and the payer's side of their links. */
export function registerCollectionRoutes(given: Http, ports: SubmitPorts & PublicPorts & LinkPorts): void {
  const { families } = ports;
  const transfers = { families, kind: createTransferKind(families), subject: createTransferSubject(families) };
  const http = withPorts(given, { ...ports, transfers });
  route.read(http, calls.listPaymentRequests, list);
  route.open(http, calls.exportPaymentRequests, 'batches', exportCsv);
  route.read(http, calls.getPaymentRequestOptions, options);
  route.read(http, calls.getPaymentRequest, get);
  route.write(http, calls.createPaymentRequest, make);
  route.write(http, calls.editPaymentRequest, edit);
  route.write(http, calls.cancelPaymentRequest, cancel);
  route.write(http, calls.acceptPaymentRequest, accept);
  route.write(http, calls.askRestOfPaymentRequest, askRest);
  route.write(http, calls.settlePaymentRequestByHand, settleByHand);
  route.write(http, calls.remindOfPaymentRequest, remind);
  route.money(http, refundPaymentRequest, refunding);
  route.open(http, publicCalls.readPublicPaymentRequest, 'no session', readPublic);
  route.open(http, publicCalls.stopPaymentReminders, 'no session', stopReminders);
}
