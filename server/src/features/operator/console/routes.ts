import * as calls from '@causeway/contract/operator.ts';
import { type Http, route, withPorts } from '../../../platform/http/route.ts';
import type { ConsoleCore } from './dependencies.ts';
import { activate, checkActivation } from './service/activation.ts';
import { changePassword, endOneSession, listSessions, logout, me, setLanguage } from './service/own-account.ts';
import { addPasskey, listPasskeys, removePasskey, startPasskey } from './service/passkeys.ts';
import { confirm, get, list, reject, withdraw } from './service/proposals.ts';
import { loginWithCode, loginWithPasskey, startPasskeyLogin } from './service/second-step.ts';
import { login, prepareLogin } from './service/sign-in.ts';
import {
  changeRole,
  disableColleague,
  inviteStaff,
  listStaff,
  proposeReactivation,
  proposeReset,
} from './service/staff.ts';

/** The calls of the operator's console. */
export function registerConsoleRoutes(given: Http, core: ConsoleCore): void {
  const http = withPorts(given, core);
  const passwordKey = { key: { ...core.passwords.publicKey }, maxLength: core.passwordMaxLength };
  route.open(http, calls.operatorCaptcha, 'no session', prepareLogin);
  route.open(http, calls.operatorPasswordKey, 'no session', async () => passwordKey);
  route.open(http, calls.operatorLogin, 'no session', login);
  route.open(http, calls.operatorLoginCode, 'no session', loginWithCode);
  route.open(http, calls.operatorLoginPasskeyOptions, 'no session', startPasskeyLogin);
  route.open(http, calls.operatorLoginPasskey, 'no session', loginWithPasskey);
  route.open(http, calls.checkOperatorActivation, 'no session', checkActivation);
  route.open(http, calls.activateOperator, 'no session', activate);
  registerAccountRoutes(http);
  route.operatorRead(http, calls.listOperators, listStaff);
  route.operatorWrite(http, calls.proposeStaff, inviteStaff);
  route.operatorWrite(http, calls.proposeStaffRole, changeRole);
  route.operatorWrite(http, calls.disableStaff, disableColleague);
  route.operatorWrite(http, calls.proposeStaffReactivation, proposeReactivation);
  route.operatorWrite(http, calls.proposeStaffReset, proposeReset);
  route.operatorRead(http, calls.listProposals, list);
  route.operatorRead(http, calls.getProposal, get);
  route.open(http, calls.confirmProposal, 'counted tries', confirm);
  route.operatorWrite(http, calls.rejectProposal, reject);
  route.operatorWrite(http, calls.withdrawProposal, withdraw);
}

function registerAccountRoutes(http: Http<ConsoleCore>): void {
  route.operatorRead(http, calls.getOperator, me);
  route.operatorWrite(http, calls.operatorLogout, logout);
  // The report itself is the activity: the look-up of the session noted it.
  route.open(http, calls.reportOperatorActivity, 'no data', async () => undefined);
  route.operatorWrite(http, calls.setOperatorLanguage, setLanguage);
  route.open(http, calls.changeOperatorPassword, 'counted tries', changePassword);
  route.operatorRead(http, calls.listOperatorPasskeys, listPasskeys);
  route.open(http, calls.startOperatorPasskey, 'counted tries', startPasskey);
  route.operatorWrite(http, calls.addOperatorPasskey, addPasskey);
  route.open(http, calls.removeOperatorPasskey, 'counted tries', removePasskey);
  route.operatorRead(http, calls.listOperatorSessions, listSessions);
  route.operatorWrite(http, calls.endOperatorSession, endOneSession);
}
