import type { Call } from './call.ts';
import * as operator from './operator.ts';
import * as operatorAnnouncements from './operator-announcements.ts';
import * as operatorAudit from './operator-audit.ts';
import * as operatorBankDebits from './operator-bank-debits.ts';
import * as operatorBankExplanations from './operator-bank-explanations.ts';
import * as operatorBankUploads from './operator-bank-uploads.ts';
import * as operatorBanks from './operator-banks.ts';
import * as operatorCards from './operator-cards.ts';
import * as operatorCompanies from './operator-companies.ts';
import * as operatorExceptions from './operator-exceptions.ts';
import * as operatorExchange from './operator-exchange.ts';
import * as operatorFreezing from './operator-freezing.ts';
import * as operatorHealth from './operator-health.ts';
import * as operatorLook from './operator-look.ts';
import * as operatorOtc from './operator-otc.ts';
import * as operatorOutputs from './operator-outputs.ts';
import * as operatorPrices from './operator-prices.ts';
import * as operatorQueue from './operator-queue.ts';
import * as operatorSolvency from './operator-solvency.ts';
import * as operatorTrades from './operator-trades.ts';
import * as operatorTransactions from './operator-transactions.ts';
import * as operatorTreasury from './operator-treasury.ts';

const parts = [
  operator,
  operatorAudit,
  operatorCompanies,
  operatorPrices,
  operatorAnnouncements,
  operatorFreezing,
  operatorLook,
  operatorQueue,
  operatorSolvency,
  operatorTreasury,
  operatorOutputs,
  operatorBanks,
  operatorBankDebits,
  operatorBankExplanations,
  operatorBankUploads,
  operatorCards,
  operatorHealth,
  operatorExceptions,
  operatorExchange,
  operatorOtc,
  operatorTrades,
  operatorTransactions,
] as const;

function isCall(value: unknown): value is Call {
  return typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value;
}

/** Every call of the operator's process. Those of companies are in `calls.ts`; no process serves both. */
export const operatorCalls: readonly Call[] = parts.flatMap((part): unknown[] => Object.values(part)).filter(isCall);
