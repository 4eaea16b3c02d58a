import { invariant } from '../../../platform/domain-error.ts';
import { type EvmGateway, isEvmGateway } from '../../chains/index.ts';
import type { FollowingDependencies } from '../family.ts';
import { gatewayOf } from '../service/gateway.ts';

/** The gateway of an EVM chain; only the EVM family's code asks for it. */
export function evmGatewayOf(deps: Pick<FollowingDependencies, 'gateways'>, chainId: string): EvmGateway {
  const gateway = gatewayOf(deps, chainId);
  invariant(isEvmGateway(gateway), `chain ${chainId} is an EVM chain`);
  return gateway;
}
