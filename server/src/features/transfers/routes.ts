import {
  cancelTransfer,
  downloadReceipt,
  exportTransactions,
  foreseeReview,
  getTransaction,
  listTransactions,
  transferOut,
} from '@causeway/contract/transfers.ts';
import { type Http, route } from '../../platform/http.ts';
import { cancel } from './service/cancel.ts';
import { describe } from './service/detail.ts';
import { exportCsv } from './service/export.ts';
import { foresee } from './service/foreseeing.ts';
import { list } from './service/list.ts';
import { type CompanyName, receipt } from './service/receipt.ts';
import { type SubmitDependencies, submit } from './service/submit.ts';

export function registerTransferRoutes(http: Http, deps: SubmitDependencies & { companyName: CompanyName }): void {
  const { database } = deps;
  route(http, transferOut, ({ body }, context) => submit(deps, context, body));
  route(http, foreseeReview, ({ query }, context) =>
    database.withCompany(context.session.companyId, (tx) => foresee(tx, context, query, deps.clock)),
  );
  route(http, cancelTransfer, ({ body }, context) => cancel(database, context, body.id));
  route(http, listTransactions, ({ query }, { session, locale }) =>
    database.withCompany(session.companyId, (tx) => list(tx, query, locale)),
  );
  route(http, exportTransactions, ({ query }, context) => exportCsv(database, context, query));
  route(http, getTransaction, ({ params }, { session, locale }) =>
    database.withCompany(session.companyId, (tx) => describe(tx, session, params.id, locale)),
  );
  route(http, downloadReceipt, ({ params }, { session, locale }) =>
    receipt(deps, session.companyId, params.id, locale),
  );
}
