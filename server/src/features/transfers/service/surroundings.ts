import type { Database } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { Log } from '../../../platform/log.ts';
import type { ChainGateway, Signer } from '../../chains/index.ts';

/** What following a chain needs from outside. */
export interface FollowingDependencies {
  database: Database;
  gateways: ReadonlyMap<string, ChainGateway>;
  log: Log;
}

/** What sending needs beside it. */
export interface SendingDependencies extends FollowingDependencies {
  signer: Signer;
}

export function gatewayOf(deps: Pick<SendingDependencies, 'gateways'>, chainId: string): ChainGateway {
  const gateway = deps.gateways.get(chainId);
  invariant(gateway, `chain ${chainId} is configured`);
  return gateway;
}
