import { accelerateKind, bitcoinSigningPlanOf, emptyKind, type Send, type SignRequest } from '../../chains/index.ts';
import { paymentsOf, planOf, readPlan } from './plan.ts';

/** The companies' account and the network, with which a PSBT names keys. */
export type SigningKeys = Parameters<typeof bitcoinSigningPlanOf>[1];

export function signRequestOf(send: Send, keys: SigningKeys): SignRequest {
  const { companyId, isEmpty } = send;
  const planned = planOf(send);
  const plan = bitcoinSigningPlanOf(readPlan(planned), keys);
  const kind = planned.parent === undefined ? 'transfer' : accelerateKind;
  const common = { kind: isEmpty ? emptyKind : kind, companyId, plan };
  const [first = '', ...joined] = paymentsOf(send);
  if (joined.length > 0) return { ...common, transferId: first, paymentId: first, joined };
  const { transferId, paymentId } = send;
  return { ...common, transferId, paymentId };
}
