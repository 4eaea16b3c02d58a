import * as calls from '@causeway/contract/identity.ts';
import * as account from '@causeway/contract/identity-account.ts';
import { type Http, route, withPorts } from '../../platform/http/route.ts';
import { captchaSizes } from './domain.ts';
import {
  endOneSession,
  endOtherSessions,
  listSessions,
  listTrustedBrowsers,
  removeTrustedBrowser,
  removeTrustedBrowsers,
} from './service/access.ts';
import { prepareCaptcha } from './service/account.ts';
import { activate, checkActivation } from './service/activation.ts';
import type { IdentityCore } from './service/dependencies.ts';
import { login } from './service/login.ts';
import { getUser, setLanguage, updateUser } from './service/member.ts';
import { bindMfa, getMfa, unbindMfa } from './service/mfa.ts';
import { addPasskey, listPasskeys, removePasskey, renamePasskey, startPasskey } from './service/passkey.ts';
import { loginWithPasskey, startPasskeyLogin } from './service/passkey-login.ts';
import { changePassword, forgetPassword } from './service/password.ts';
import { getRecoveryCodes, renewRecoveryCodes } from './service/recovery.ts';
import { register } from './service/register.ts';
import { requestCode, requestRegisterCode } from './service/send-code.ts';
import { requestUserCode } from './service/send-user-code.ts';
import { logout } from './service/session.ts';

export function registerIdentityRoutes(given: Http, core: IdentityCore): void {
  const http = withPorts(given, core);
  registerSignInRoutes(http, core);
  registerMemberRoutes(http);
  registerProofRoutes(http);
}

/** Before a session: the use cases find the company themselves, where there is one. */
function registerSignInRoutes(http: Http<IdentityCore>, { captcha, passwords, passwordMaxLength }: IdentityCore): void {
  const passwordKey = { key: { ...passwords.publicKey }, maxLength: passwordMaxLength };
  route.open(http, calls.getCaptcha, 'no session', () => captcha.challenge(captchaSizes.least));
  route.open(http, calls.prepareCaptcha, 'no session', prepareCaptcha);
  route.open(http, calls.getPasswordKey, 'no session', async () => passwordKey);
  route.open(http, calls.sendRegisterCode, 'no session', requestRegisterCode);
  route.open(http, calls.sendCode, 'no session', requestCode);
  route.open(http, calls.register, 'no session', register);
  route.open(http, calls.login, 'no session', login);
  route.open(http, calls.forgetPassword, 'no session', forgetPassword);
  route.open(http, calls.checkActivation, 'no session', checkActivation);
  route.open(http, calls.activate, 'no session', activate);
  route.open(http, account.startPasskeyLogin, 'no session', startPasskeyLogin);
  route.open(http, account.loginWithPasskey, 'no session', loginWithPasskey);
}

function registerMemberRoutes(http: Http<IdentityCore>): void {
  route.write(http, calls.logout, logout);
  // The report itself is the activity: `authenticate` noted it.
  route.open(http, calls.reportActivity, 'no data', async () => undefined);
  route.read(http, calls.getUser, getUser);
  route.write(http, calls.setLanguage, setLanguage);
  route.write(http, account.updateUser, updateUser);
  // It makes the secret that is to be bound.
  route.write(http, calls.getMfa, getMfa);
  route.read(http, account.getRecoveryCodes, getRecoveryCodes);
  route.read(http, account.listSessions, listSessions);
  route.write(http, account.endSession, endOneSession);
  route.write(http, account.endOtherSessions, endOtherSessions);
  route.read(http, account.listTrustedBrowsers, listTrustedBrowsers);
  route.write(http, account.removeTrustedBrowser, removeTrustedBrowser);
  route.write(http, account.removeTrustedBrowsers, removeTrustedBrowsers);
  route.read(http, account.listPasskeys, listPasskeys);
  route.write(http, account.addPasskey, addPasskey);
  route.write(http, account.renamePasskey, renamePasskey);
}

/** With a code or a password, whose tries count although what they were to prove is rolled back. */
function registerProofRoutes(http: Http<IdentityCore>): void {
  route.open(http, calls.sendUserCode, 'counted tries', requestUserCode);
  route.open(http, calls.changePassword, 'counted tries', changePassword);
  route.open(http, calls.bindMfa, 'counted tries', bindMfa);
  route.open(http, account.unbindMfa, 'counted tries', unbindMfa);
  route.open(http, account.renewRecoveryCodes, 'counted tries', renewRecoveryCodes);
  route.open(http, account.startPasskey, 'counted tries', startPasskey);
  route.open(http, account.removePasskey, 'counted tries', removePasskey);
}
