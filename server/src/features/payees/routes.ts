import {
  addCryptoPayee,
  checkAddress,
  deleteCryptoPayee,
  editCryptoPayee,
  getCryptoPayee,
  listCryptoPayees,
} from '@causeway/contract/payees.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import { add, check, edit, get, list, type PayeesPorts, remove } from './service.ts';

export function registerPayeesRoutes(given: Http, ports: PayeesPorts): void {
  const http = withPorts(given, ports);
  route.read(http, listCryptoPayees, list);
  route.open(http, checkAddress, 'slow work', check);
  route.open(http, getCryptoPayee, 'slow work', get);
  route.open(http, addCryptoPayee, 'slow work', add);
  route.write(http, editCryptoPayee, edit);
  route.write(http, deleteCryptoPayee, remove);
}
