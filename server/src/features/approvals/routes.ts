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
  withdrawApproval,
} from '@causeway/contract/approvals.ts';
import {
  adoptApproval,
  endApproval,
  getControlMode,
  listPendingChanges,
  stopChange,
} from '@causeway/contract/control.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import { adopt, end } from './service/adopt.ts';
import { changeReview, switchReview } from './service/change-rules.ts';
import { decide } from './service/decide.ts';
import { setOptions } from './service/options.ts';
import { getMode, listPending } from './service/pending.ts';
import { createSecondPerson } from './service/propose-change.ts';
import { get, list, todo } from './service/reading.ts';
import { checkChange, getApprovers, getSettings, listLogs } from './service/settings-view.ts';
import type { ApprovalsPorts } from './service/subjects.ts';
import { stop, withdraw } from './service/withdraw.ts';

export function registerApprovalsRoutes(given: Http, ports: Omit<ApprovalsPorts, 'secondPerson'>): void {
  const http = withPorts(given, { ...ports, secondPerson: createSecondPerson(given.clock) });
  route.read(http, listApprovals, list);
  route.read(http, getApproval, get);
  route.money(http, decideApprovals, decide);
  route.money(http, withdrawApproval, withdraw);
  route.read(http, listTodo, todo);
  route.write(http, adoptApproval, adopt);
  route.write(http, endApproval, end);

  route.read(http, getReviewSetting, getSettings);
  route.write(http, addRule, (tx, context, { version, id, rule }) =>
    changeReview(tx, context, { version, change: { kind: 'add', id, rule } }),
  );
  route.write(http, changeRule, (tx, context, { version, id, rule }) =>
    changeReview(tx, context, { version, change: { kind: 'change', id, rule } }),
  );
  route.write(http, deleteRule, (tx, context, { version, id }) =>
    changeReview(tx, context, { version, change: { kind: 'delete', id } }),
  );
  route.write(http, orderRules, (tx, context, { version, ids }) =>
    changeReview(tx, context, { version, change: { kind: 'order', ids } }),
  );
  route.read(http, checkReviewChange, checkChange);
  route.write(http, setReviewEnabled, switchReview);
  route.write(http, setReviewOptions, setOptions);
  route.read(http, listApprovers, getApprovers);
  route.read(http, listReviewLogs, listLogs);

  route.read(http, listPendingChanges, listPending);
  route.read(http, getControlMode, getMode);
  route.write(http, stopChange, stop);
}
