import {
  addRiskPolicy,
  deleteRiskPolicy,
  editRiskPolicy,
  explainRisk,
  listIntercepts,
  listRiskPolicies,
  listRiskPolicyLogs,
  listRiskPolicyVersions,
  moveRiskPolicy,
  replayRiskPolicies,
  setRiskPolicyStatus,
} from '@causeway/contract/risk.ts';
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
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DomainError } from '../../platform/domain-error.ts';
import { type Http, route } from '../../platform/http.ts';
import { explain } from './service/explain.ts';
import { exportEntries } from './service/export.ts';
import { importEntries } from './service/import.ts';
import { addEntry, editEntry, getSetting, listEntries, listLogs, removeEntry, setSetting } from './service/lists.ts';
import {
  addPolicy,
  deletePolicy,
  editPolicy,
  listHits,
  listPolicies,
  listPolicyLogs,
  listVersions,
  movePolicy,
  setPolicyStatus,
} from './service/policies.ts';
import { replay } from './service/replay.ts';

interface Dependencies {
  database: Database;
  clock: Clock;
}

export function registerRiskRoutes(http: Http, deps: Dependencies): void {
  registerPolicyRoutes(http, deps);
  registerListRoutes(http, deps.database);
  route(http, explainRisk, ({ params }, { session, locale }) =>
    deps.database.withCompany(session.companyId, async (tx) => {
      const explanation = await explain(tx, params.id, locale);
      if (!explanation) throw new DomainError('notFound');
      return explanation;
    }),
  );
}

function registerPolicyRoutes(http: Http, { database, clock }: Dependencies): void {
  route(http, listRiskPolicies, ({ query }, { session }) =>
    database.withCompany(session.companyId, (tx) => listPolicies(tx, query)),
  );
  route(http, addRiskPolicy, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => addPolicy(tx, context, body)),
  );
  route(http, editRiskPolicy, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => editPolicy(tx, context, body)),
  );
  route(http, deleteRiskPolicy, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => deletePolicy(tx, context, body.id)),
  );
  route(http, moveRiskPolicy, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => movePolicy(tx, context, body)),
  );
  route(http, setRiskPolicyStatus, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => setPolicyStatus(tx, context, body)),
  );
  route(http, listRiskPolicyLogs, ({ query }, { session }) =>
    database.withCompany(session.companyId, (tx) => listPolicyLogs(tx, query)),
  );
  route(http, listIntercepts, ({ params, query }, { session, locale }) =>
    database.withCompany(session.companyId, (tx) => listHits(tx, params.id, query, locale)),
  );
  route(http, listRiskPolicyVersions, ({ params, query }, { session }) =>
    database.withCompany(session.companyId, (tx) => listVersions(tx, params.id, query)),
  );
  route(http, replayRiskPolicies, ({ body }, { session, locale }) =>
    database.withCompany(session.companyId, (tx) => replay(tx, body.policy, clock.now(), locale)),
  );
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
