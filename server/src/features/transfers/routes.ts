import {
  accelerateDeposit,
  cancelTransfer,
  foreseeReview,
  listNetworkFees,
  quoteAcceleration,
  quoteSpeedUp,
  speedUpTransfer,
  transferOut,
} from '@causeway/contract/transfers.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import type { ChainFamilies } from '../chains/index.ts';
import type { SubmitPorts } from '../outgoing/index.ts';
import { createTransferKind } from './kind.ts';
import { accelerate, describeAcceleration } from './service/accelerate.ts';
import { cancel } from './service/cancel.ts';
import { foresee } from './service/foreseeing.ts';
import { describeNetworkFees } from './service/network-fees.ts';
import { describeSpeedUp, speedUp } from './service/speed-up.ts';
import { createTransferSubject } from './service/subject.ts';
import { submitting } from './service/submit.ts';

export function registerTransferRoutes(given: Http, ports: SubmitPorts & { families: ChainFamilies }): void {
  const kind = createTransferKind(ports.families);
  const http = withPorts(given, { ...ports, kind, subject: createTransferSubject(ports.families) });
  route.batch(http, transferOut, submitting);
  route.read(http, foreseeReview, foresee);
  route.read(http, listNetworkFees, describeNetworkFees);
  route.read(http, quoteSpeedUp, describeSpeedUp);
  route.money(http, speedUpTransfer, speedUp);
  route.read(http, quoteAcceleration, describeAcceleration);
  route.money(http, accelerateDeposit, accelerate);
  route.money(http, cancelTransfer, cancel);
}
