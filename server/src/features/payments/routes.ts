import {
  cancelPayout,
  createCryptoPayment,
  createPayment,
  fiatTransferOut,
  foreseePayout,
  getCryptoPaymentOptions,
  quoteCryptoPayment,
} from '@causeway/contract/payments.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import type { ChainFamilies } from '../chains/index.ts';
import type { SubmitPorts } from '../outgoing/index.ts';
import { options } from './crypto/options.ts';
import { quote } from './crypto/quote.ts';
import { submittingCoins } from './crypto/submit.ts';
import { createCryptoPayoutKind, createPayoutKind } from './kind.ts';
import { cancel } from './service/cancel.ts';
import { outlook } from './service/outlook.ts';
import { createPayoutSubject } from './service/subject.ts';
import { submittingPayment, submittingTransfer } from './service/submit.ts';

export function registerPaymentRoutes(given: Http, ports: SubmitPorts & { families: ChainFamilies }): void {
  const kind = createPayoutKind(ports.families);
  const coins = createCryptoPayoutKind(ports.families);
  const http = withPorts(given, { ...ports, kind, coins, subject: createPayoutSubject(ports.families, ports.seal) });
  route.batch(http, fiatTransferOut, submittingTransfer);
  route.batch(http, createPayment, submittingPayment);
  route.read(http, foreseePayout, outlook);
  route.read(http, getCryptoPaymentOptions, options);
  route.write(http, quoteCryptoPayment, quote);
  route.batch(http, createCryptoPayment, submittingCoins);
  route.money(http, cancelPayout, cancel);
}
