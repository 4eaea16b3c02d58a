import type { Call } from './call.ts';
import * as operator from './operator.ts';
import * as operatorAudit from './operator-audit.ts';
import * as operatorCompanies from './operator-companies.ts';
import * as operatorQueue from './operator-queue.ts';

const parts = [operator, operatorAudit, operatorCompanies, operatorQueue] as const;

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}

/** Every call of the operator's process. Those of companies are in `calls.ts`; no process serves both. */
export const operatorCalls: readonly Call[] = parts.flatMap((part): unknown[] => Object.values(part)).filter(isCall);
