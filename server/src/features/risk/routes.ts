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
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import type { ChainFamilies } from '../chains/index.ts';
import { type ControlContext, changing } from '../organisation/index.ts';
import { explainTransaction } from './service/explain.ts';
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

export function registerRiskRoutes(
  given: Http,
  ports: Pick<ControlContext, 'secondPerson'> & { families: ChainFamilies },
): void {
  const http = withPorts(given, ports);
  const { families } = ports;
  route.read(http, explainRisk, explainTransaction);

  route.read(http, listRiskPolicies, listPolicies);
  route.write(http, addRiskPolicy, changing(addingPolicy));
  route.write(http, editRiskPolicy, changing(editingPolicy));
  route.write(http, deleteRiskPolicy, changing(deletingPolicy));
  route.write(http, moveRiskPolicy, changing(movingPolicy));
  route.write(http, setRiskPolicyStatus, changing(settingPolicyStatus));
  route.read(http, listRiskPolicyLogs, listPolicyLogs);
  route.read(http, listIntercepts, listHits);
  route.read(http, listRiskPolicyVersions, listVersions);
  route.read(http, replayRiskPolicies, replay);

  route.read(http, listNamelist, listEntries);
  route.write(
    http,
    addListEntry,
    changing((body) => addingEntry(families, body)),
  );
  route.write(
    http,
    editListEntry,
    changing((body) => editingEntry(families, body)),
  );
  route.write(
    http,
    deleteListEntry,
    changing((input) => removingEntry(families, input)),
  );
  route.read(http, listNamelistLogs, listLogs);
  route.write(http, importNamelist, importEntries);
  route.open(http, exportNamelist, 'batches', exportEntries);
  route.read(http, getRiskSetting, getSetting);
  route.write(http, setRiskSetting, changing(changingRiskSetting));
}
