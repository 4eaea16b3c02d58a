import { bitcoinSigningPlanOf, emptyKind, type Send, type SignRequest } from '../../chains/index.ts';
import { planOf, readPlan } from './plan.ts';

/** The companies' account and the network, with which a PSBT names keys. */
export type SigningKeys = Parameters<typeof bitcoinSigningPlanOf>[1];

export function signRequestOf(send: Send, keys: SigningKeys): SignRequest {
  const { companyId, transferId, paymentId, isEmpty } = send;
  const plan = bitcoinSigningPlanOf(readPlan(planOf(send)), keys);
  return { kind: isEmpty ? emptyKind : 'transfer', companyId, transferId, paymentId, plan };
}
