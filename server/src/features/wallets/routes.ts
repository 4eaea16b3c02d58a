import {
  getAddress,
  getAddressV2,
  getFee,
  getHistory,
  getOverview,
  getStatement,
  listChains,
  listFees,
  listWallets,
} from '@causeway/contract/wallets.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { type Http, route } from '../../platform/http.ts';
import { addressOf, describeChains, describeFees, describeReceiving, quoteFee } from './service/receiving.ts';
import { describeStatement } from './service/statement.ts';
import { valueCompany, valueHistory, valueWallets } from './service/valuation.ts';

export function registerWalletsRoutes(http: Http, deps: { database: Database; clock: Clock }): void {
  const { database, clock } = deps;
  route(http, getOverview, (_, { session }) =>
    database.withCompany(session.companyId, (tx) => valueCompany(tx, clock.now())),
  );
  route(http, getHistory, (_, { session }) =>
    database.withCompany(session.companyId, (tx) => valueHistory(tx, clock.now())),
  );
  route(http, getFee, ({ query }, { session }) => database.withCompany(session.companyId, (tx) => quoteFee(tx, query)));
  route(http, listFees, (_, { session }) => database.withCompany(session.companyId, describeFees));
  route(http, listChains, (_, { session }) => database.withCompany(session.companyId, describeChains));
  route(http, listWallets, (_, { session }) => database.withCompany(session.companyId, valueWallets));
  route(http, getAddress, ({ query }, { session }) =>
    database.withCompany(session.companyId, (tx) => addressOf(tx, query)),
  );
  route(http, getAddressV2, ({ query }, { session }) =>
    database.withCompany(session.companyId, (tx) => describeReceiving(tx, query)),
  );
  route(http, getStatement, ({ params, query }, { session, locale }) =>
    database.withCompany(session.companyId, (tx) => describeStatement(tx, params.id, query, locale)),
  );
}
