import { accelerateKind, bitcoinSigningPlanOf, emptyKind, type Send, type SignRequest } from '../../chains/index.ts';
import { planOf, readPlan } from './plan.ts';

/** The companies' account and the network, with which a PSBT names keys. */
export type SigningKeys = Parameters<typeof bitcoinSigningPlanOf>[1];

export function signRequestOf(send: Send, keys: SigningKeys): SignRequest {
  const { companyId, transferId, paymentId, isEmpty } = send;
  const planned = planOf(send);
  const plan = bitcoinSigningPlanOf(readPlan(planned), keys);
  const kind = planned.parent === undefined ? 'transfer' : accelerateKind;
  return { kind: isEmpty ? emptyKind : kind, companyId, transferId, paymentId, plan };
}
