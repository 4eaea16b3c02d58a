import { invariant } from '../../../platform/domain-error.ts';
import { type BitcoinGateway, isBitcoinGateway } from '../../chains/index.ts';
import type { FollowingDependencies } from '../family.ts';
import { gatewayOf } from '../service/gateway.ts';

export function bitcoinGatewayOf(deps: Pick<FollowingDependencies, 'gateways'>, chainId: string): BitcoinGateway {
  const gateway = gatewayOf(deps, chainId);
  invariant(isBitcoinGateway(gateway), `${chainId} is a Bitcoin chain`);
  return gateway;
}
