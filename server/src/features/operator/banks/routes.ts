import * as debits from '@causeway/contract/operator-bank-debits.ts';
import * as explanations from '@causeway/contract/operator-bank-explanations.ts';
import * as uploads from '@causeway/contract/operator-bank-uploads.ts';
import * as calls from '@causeway/contract/operator-banks.ts';
import * as cards from '@causeway/contract/operator-cards.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import type { ConsoleCore } from '../console/dependencies.ts';
import { getSettlement, listOwed, proposeSettlement } from './cards.ts';
import { getExplanation, proposeTakeBack, proposeWithdrawal } from './explanations.ts';
import { downloadFile, getFile, listFiles } from './files.ts';
import { findTargets, getMoney, listMoneys, proposeCredit, proposeFees, proposeReturn } from './moneys.ts';
import { reconcile } from './reconciling.ts';
import { list } from './registry.ts';
import { proposeTaking, upload } from './uploads.ts';

/** The operator's calls about banks. */
export function registerOperatorBankRoutes(given: Http, core: ConsoleCore): void {
  const http = withPorts(given, core);
  route.operatorRead(http, calls.getBanks, list);
  route.operatorRead(http, calls.listBankFiles, listFiles);
  route.operatorRead(http, calls.getBankFile, getFile);
  route.open(http, calls.downloadBankFile, 'slow work', downloadFile);
  route.open(http, calls.getBankReconciliation, 'slow work', reconcile);
  route.operatorRead(http, calls.listBankMoneys, listMoneys);
  route.operatorRead(http, calls.getBankMoney, getMoney);
  route.operatorRead(http, calls.findBankCreditTargets, findTargets);
  route.operatorWrite(http, calls.proposeBankCredit, proposeCredit);
  route.operatorWrite(http, debits.proposeBankReturn, proposeReturn);
  route.operatorWrite(http, debits.proposeBankFees, proposeFees);
  route.operatorRead(http, cards.listCardsOwed, listOwed);
  route.operatorRead(http, cards.getCardSettlement, getSettlement);
  route.operatorWrite(http, cards.proposeCardSettlement, proposeSettlement);
  route.operatorRead(http, explanations.getBankExplanation, getExplanation);
  route.operatorWrite(http, explanations.proposeBankTakeBack, proposeTakeBack);
  route.operatorWrite(http, explanations.proposeBankWithdrawal, proposeWithdrawal);
  route.open(http, uploads.uploadBankFile, 'slow work', upload);
  route.operatorWrite(http, uploads.proposeBankFile, proposeTaking);
}
