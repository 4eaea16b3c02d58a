import { cancelPayout, createPayment, fiatTransferOut, foreseePayout } from '@causeway/contract/payments.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import type { ChainFamilies } from '../chains/index.ts';
import type { SubmitPorts } from '../outgoing/index.ts';
import { createPayoutKind } from './kind.ts';
import { cancel } from './service/cancel.ts';
import { outlook } from './service/outlook.ts';
import { createPayoutSubject } from './service/subject.ts';
import { submittingPayment, submittingTransfer } from './service/submit.ts';

export function registerPaymentRoutes(given: Http, ports: SubmitPorts & { families: ChainFamilies }): void {
  const kind = createPayoutKind(ports.families);
  const http = withPorts(given, { ...ports, kind, subject: createPayoutSubject(ports.families) });
  route.batch(http, fiatTransferOut, submittingTransfer);
  route.batch(http, createPayment, submittingPayment);
  route.read(http, foreseePayout, outlook);
  route.money(http, cancelPayout, cancel);
}
