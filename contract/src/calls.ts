import * as approvals from './approvals.ts';
import type { Call } from './call.ts';
import * as files from './files.ts';
import * as identity from './identity.ts';
import * as live from './live.ts';
import * as notices from './notices.ts';
import * as payees from './payees.ts';
import * as rates from './rates.ts';
import * as transfers from './transfers.ts';
import * as wallets from './wallets.ts';

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}

/** Every call of the contract, in the order of the features. */
export const calls: readonly Call[] = [identity, files, notices, rates, payees, wallets, approvals, transfers, live]
  .flatMap((feature) => Object.values(feature))
  .filter(isCall);
