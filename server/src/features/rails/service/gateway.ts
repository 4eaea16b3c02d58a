import { invariant } from '../../../platform/domain-error.ts';
import type { ChainGateway } from '../../chains/index.ts';
import type { FollowingDependencies } from '../family.ts';

export function gatewayOf(deps: Pick<FollowingDependencies, 'gateways'>, chainId: string): ChainGateway {
  const gateway = deps.gateways.get(chainId);
  invariant(gateway, `chain ${chainId} is configured`);
  return gateway;
}
