import {
  addCryptoPayee,
  checkAddress,
  deleteCryptoPayee,
  getCryptoPayee,
  listCryptoPayees,
} from '@causeway/contract/payees.ts';
import { type Http, route } from '../../platform/http.ts';
import type { PayeesService } from './service.ts';

export function registerPayeesRoutes(http: Http, deps: { payees: PayeesService }): void {
  const { payees } = deps;
  route(http, listCryptoPayees, ({ query }, { session }) => payees.list(session.companyId, query));
  route(http, checkAddress, ({ query }, { session }) => payees.check(session.companyId, query));
  route(http, getCryptoPayee, ({ params }, { session }) => payees.get(session.companyId, params.id));
  route(http, addCryptoPayee, ({ body }, context) => payees.add(context, body));
  route(http, deleteCryptoPayee, ({ params }, context) => payees.remove(context, params.id));
}
