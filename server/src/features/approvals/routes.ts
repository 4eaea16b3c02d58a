import {
  addRule,
  changeRule,
  checkReviewChange,
  decideApprovals,
  deleteRule,
  getApproval,
  getReviewSetting,
  listApprovals,
  listApprovers,
  listReviewLogs,
  listTodo,
  orderRules,
  setReviewEnabled,
  setReviewOptions,
  withdrawChange,
} from '@causeway/contract/approvals.ts';
import {
  adoptApproval,
  endApproval,
  getControlMode,
  listPendingChanges,
  stopChange,
} from '@causeway/contract/control.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Http, route } from '../../platform/http.ts';
import { adopt, end } from './service/adopting.ts';
import type { ApprovalsCore } from './service/core.ts';
import { decide } from './service/decide.ts';
import { setOptions } from './service/options.ts';
import { getMode, listPending } from './service/pending.ts';
import { createSecondPerson } from './service/proposing.ts';
import { get, list, todo } from './service/reading.ts';
import { changeReview, switchReview, withReview } from './service/review.ts';
import { checkChange, getApprovers, getSettings, listLogs } from './service/settings-view.ts';
import { stop, withdraw } from './service/withdrawing.ts';

/** `subjects` are those of the features to the right; changes of rules are approvals' own. */
export function registerApprovalsRoutes(http: Http, given: ApprovalsCore): void {
  const { database, clock = systemClock } = given;
  const core = { ...given, subjects: withReview(given.subjects, clock, given.controls) };
  const secondPerson = createSecondPerson(clock);

  route(http, listApprovals, ({ query }, context) =>
    database.withCompany(context.session.companyId, (tx) => list(tx, context, query)),
  );
  route(http, getApproval, ({ params }, context) =>
    database.withCompany(context.session.companyId, (tx) => get(tx, core.subjects, context, params.id)),
  );
  route(http, decideApprovals, ({ body }, context) => decide(core, context, body));
  route(http, listTodo, (_, context) => database.withCompany(context.session.companyId, (tx) => todo(tx, context)));

  route(http, getReviewSetting, ({ query }, context) =>
    database.withCompany(context.session.companyId, (tx) => getSettings(tx, context, query, clock.now())),
  );
  route(http, addRule, ({ body: { version, id, rule } }, context) =>
    changeReview(core, context, version, { kind: 'add', id, rule }),
  );
  route(http, changeRule, ({ body: { version, id, rule } }, context) =>
    changeReview(core, context, version, { kind: 'change', id, rule }),
  );
  route(http, deleteRule, ({ body: { version, id } }, context) =>
    changeReview(core, context, version, { kind: 'delete', id }),
  );
  route(http, orderRules, ({ body: { version, ids } }, context) =>
    changeReview(core, context, version, { kind: 'order', ids }),
  );
  route(http, checkReviewChange, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => checkChange(tx, context, body)),
  );
  route(http, setReviewEnabled, ({ body }, context) => switchReview(core, context, body));
  route(http, setReviewOptions, ({ body }, context) => setOptions(core, secondPerson, context, body));
  route(http, withdrawChange, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => withdraw(tx, context, body)),
  );
  route(http, listPendingChanges, (_, context) =>
    database.withCompany(context.session.companyId, (tx) => listPending(tx, context)),
  );
  route(http, getControlMode, (_, context) =>
    database.withCompany(context.session.companyId, (tx) => getMode(tx, context, clock.now())),
  );
  route(http, stopChange, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => stop(tx, core.subjects, context, body)),
  );
  route(http, adoptApproval, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => adopt(tx, context, body)),
  );
  route(http, endApproval, ({ body }, context) =>
    database.withCompany(context.session.companyId, (tx) => end(tx, core.subjects, context, body)),
  );
  route(http, listApprovers, (_, context) =>
    database.withCompany(context.session.companyId, (tx) => getApprovers(tx, context)),
  );
  route(http, listReviewLogs, ({ query }, context) =>
    database.withCompany(context.session.companyId, (tx) => listLogs(tx, context, query)),
  );
}
