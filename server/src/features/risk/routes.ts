import type { Effect } from '@causeway/contract/effect.ts';
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
import { newId } from '../../platform/ids.ts';
import type { SignedInContext } from '../../platform/session.ts';
import { type ControlOperation, makeOrPropose, type SecondPersonPort } from '../organisation/index.ts';
import { explain } from './service/explain.ts';
import { exportEntries } from './service/export.ts';
import { importEntries } from './service/import.ts';
import { addingEntry, changingRiskSetting, editingEntry, removingEntry } from './service/list-controls.ts';
import { getSetting, listEntries, listLogs } from './service/lists.ts';
import { listHits, listPolicies, listPolicyLogs, listVersions } from './service/policies.ts';
import {
  addingPolicy,
  deletingPolicy,
  editingPolicy,
  movingPolicy,
  settingPolicyStatus,
} from './service/policy-controls.ts';
import { replay } from './service/replay.ts';

interface Dependencies {
  database: Database;
  clock: Clock;
  secondPerson: SecondPersonPort;
}

/** Makes a change, or proposes it where it widens and must not be made by one person. */
function make<T extends object>(
  { database, secondPerson }: Dependencies,
  context: SignedInContext,
  operation: ControlOperation<T>,
): Promise<T & Effect> {
  return database.withCompany(context.session.companyId, (tx) => makeOrPropose(tx, secondPerson, context, operation));
}

export function registerRiskRoutes(http: Http, deps: Dependencies): void {
  registerPolicyRoutes(http, deps);
  registerListRoutes(http, deps);
  route(http, explainRisk, ({ params }, { session, locale }) =>
    deps.database.withCompany(session.companyId, async (tx) => {
      const explanation = await explain(tx, params.id, locale);
      if (!explanation) throw new DomainError('notFound');
      return explanation;
    }),
  );
}

function registerPolicyRoutes(http: Http, deps: Dependencies): void {
  const { database, clock } = deps;
  route(http, listRiskPolicies, ({ query }, { session }) =>
    database.withCompany(session.companyId, (tx) => listPolicies(tx, query)),
  );
  route(http, addRiskPolicy, ({ body }, context) =>
    make(deps, context, addingPolicy({ ...body, id: body.id ?? newId() })),
  );
  route(http, editRiskPolicy, ({ body }, context) => make(deps, context, editingPolicy(body)));
  route(http, deleteRiskPolicy, ({ body }, context) => make(deps, context, deletingPolicy(body)));
  route(http, moveRiskPolicy, ({ body }, context) => make(deps, context, movingPolicy(body)));
  route(http, setRiskPolicyStatus, ({ body }, context) => make(deps, context, settingPolicyStatus(body)));
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

function registerListRoutes(http: Http, deps: Dependencies): void {
  const { database } = deps;
  route(http, listNamelist, ({ query }, { session }) =>
    database.withCompany(session.companyId, (tx) => listEntries(tx, query)),
  );
  route(http, addListEntry, ({ body }, context) =>
    make(deps, context, addingEntry({ ...body, id: body.id ?? newId() })),
  );
  route(http, editListEntry, ({ body }, context) => make(deps, context, editingEntry(body)));
  route(http, deleteListEntry, ({ params }, context) => make(deps, context, removingEntry({ id: params.id })));
  route(http, listNamelistLogs, ({ query }, { session, locale }) =>
    database.withCompany(session.companyId, (tx) => listLogs(tx, query, locale)),
  );
  route(http, importNamelist, ({ query }, context) =>
    database.withCompany(context.session.companyId, (tx) =>
      importEntries(tx, deps.secondPerson, context, query, context.upload.content),
    ),
  );
  route(http, exportNamelist, ({ query }, context) => exportEntries(database, context, query));
  route(http, getRiskSetting, (_, { session }) => database.withCompany(session.companyId, getSetting));
  route(http, setRiskSetting, ({ body }, context) => make(deps, context, changingRiskSetting(body)));
}
