import {
  addListEntry,
  deleteListEntry,
  editListEntry,
  exportNamelist,
  getRiskSetting,
  importNamelist,
  listNamelist,
  listNamelistLogs,
  setRiskSetting,
} from '@causeway/contract/risk-lists.ts';
import type { Database } from '../../platform/database.ts';
import { type Http, route } from '../../platform/http.ts';
import { exportEntries } from './service/export.ts';
import { importEntries } from './service/import.ts';
import { addEntry, editEntry, getSetting, listEntries, listLogs, removeEntry, setSetting } from './service/lists.ts';

export function registerRiskRoutes(http: Http, { database }: { database: Database }): void {
  registerListRoutes(http, database);
}

function registerListRoutes(http: Http, database: Database): void {
  route(http, listNamelist, ({ query }, { session }) =>
    database.withCompany(session.companyId, (tx) => listEntries(tx, query)),
  );
  route(http, addListEntry, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => addEntry(tx, context, body)),
  );
  route(http, editListEntry, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => editEntry(tx, context, body)),
  );
  route(http, deleteListEntry, ({ params }, context) =>
    database.withCompany(context.session.companyId, (tx) => removeEntry(tx, context, params.id)),
  );
  route(http, listNamelistLogs, ({ query }, { session, locale }) =>
    database.withCompany(session.companyId, (tx) => listLogs(tx, query, locale)),
  );
  route(http, importNamelist, ({ query }, context) =>
    database.withCompany(context.session.companyId, (tx) => importEntries(tx, context, query, context.upload.content)),
  );
  route(http, exportNamelist, ({ query }, context) => exportEntries(database, context, query));
  route(http, getRiskSetting, (_, { session }) => database.withCompany(session.companyId, getSetting));
  route(http, setRiskSetting, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => setSetting(tx, context, body)),
  );
}
