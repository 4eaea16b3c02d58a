import {
  addBankPayee,
  checkBankPayee,
  deleteBankPayee,
  editBankPayee,
  getBankPayee,
  labelBankPayee,
  listBankPayees,
} from '@causeway/contract/bank-payees.ts';
import {
  addCryptoPayee,
  checkAddress,
  deleteCryptoPayee,
  editCryptoPayee,
  getCryptoPayee,
  listCryptoPayees,
} from '@causeway/contract/payees.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import * as bank from './bank/service.ts';
import { add, check, edit, get, list, type PayeesPorts, remove } from './service.ts';

export function registerPayeesRoutes(given: Http, ports: PayeesPorts): void {
  const http = withPorts(given, ports);
  route.read(http, listCryptoPayees, list);
  route.open(http, checkAddress, 'slow work', check);
  route.open(http, getCryptoPayee, 'slow work', get);
  route.open(http, addCryptoPayee, 'slow work', add);
  route.write(http, editCryptoPayee, edit);
  route.write(http, deleteCryptoPayee, remove);
  route.read(http, listBankPayees, bank.list);
  route.read(http, getBankPayee, bank.get);
  route.read(http, checkBankPayee, bank.check);
  route.write(http, addBankPayee, bank.add);
  route.write(http, editBankPayee, bank.edit);
  route.write(http, labelBankPayee, bank.relabel);
  route.write(http, deleteBankPayee, bank.remove);
}
