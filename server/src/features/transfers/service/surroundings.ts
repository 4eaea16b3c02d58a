import type { Database } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { Log } from '../../../platform/log.ts';
import type { ChainGateway, Signer } from '../../chains/index.ts';

/** What sending and following need from outside. */
export interface SendingDependencies {
  database: Database;
  gateways: ReadonlyMap<string, ChainGateway>;
  signer: Signer;
  log: Log;
}

export function gatewayOf(deps: Pick<SendingDependencies, 'gateways'>, chainId: string): ChainGateway {
  const gateway = deps.gateways.get(chainId);
  invariant(gateway, `chain ${chainId} is configured`);
  return gateway;
}
