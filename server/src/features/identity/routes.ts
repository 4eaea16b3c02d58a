import * as calls from '@causeway/contract/identity.ts';
import * as account from '@causeway/contract/identity-account.ts';
import { type Http, route } from '../../platform/http.ts';
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
import type { Identity } from './service/identity.ts';
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

export function registerIdentityRoutes(http: Http, identity: Identity): void {
  const { captcha, database, passwords, passwordMaxLength: maxLength } = identity;
  route(http, calls.getCaptcha, () => captcha.challenge(captchaSizes.least));
  route(http, calls.prepareCaptcha, ({ body }, context) => prepareCaptcha(identity, body, context));
  route(http, calls.getPasswordKey, async () => ({ key: { ...passwords.publicKey }, maxLength }));
  route(http, calls.sendRegisterCode, ({ body }, context) => requestRegisterCode(identity, body, context));
  route(http, calls.sendCode, ({ body }, context) => requestCode(identity, body, context));
  route(http, calls.sendUserCode, ({ body }, context) => requestUserCode(identity, body, context));
  route(http, calls.register, async ({ body }, context) => {
    await register(identity, body, context);
    return null;
  });
  route(http, calls.login, ({ body }, context) => login(identity, body, context));
  route(http, calls.logout, async (_input, context) => {
    await logout(database, context);
    return null;
  });
  // The report itself is the activity: `authenticate` noted it.
  route(http, calls.reportActivity, async () => null);
  route(http, calls.getUser, (_input, context) => getUser(identity, context));
  route(http, calls.setLanguage, async ({ body }, context) => {
    await setLanguage(database, context, body.language);
    return null;
  });
  route(http, calls.changePassword, async ({ body }, context) => {
    await changePassword(identity, body, context);
    return null;
  });
  route(http, calls.forgetPassword, async ({ body }, context) => {
    await forgetPassword(identity, body, context);
    return null;
  });
  route(http, calls.checkActivation, ({ body }, context) => checkActivation(identity, body, context));
  route(http, calls.activate, async ({ body }, context) => {
    await activate(identity, body, context);
    return null;
  });
  route(http, calls.getMfa, (_input, context) => getMfa(identity, context));
  route(http, calls.bindMfa, ({ body }, context) => bindMfa(identity, body, context));
  registerAccountRoutes(http, identity);
  registerPasskeyRoutes(http, identity);
}

function registerAccountRoutes(http: Http, identity: Identity): void {
  route(http, account.updateUser, async ({ body }, context) => {
    await updateUser(identity.database, context, body);
    return null;
  });
  route(http, account.unbindMfa, async ({ body }, context) => {
    await unbindMfa(identity, body.proof, context);
    return null;
  });
  route(http, account.getRecoveryCodes, (_input, context) => getRecoveryCodes(identity, context));
  route(http, account.renewRecoveryCodes, async ({ body }, context) => ({
    codes: await renewRecoveryCodes(identity, body.proof, context),
  }));
  route(http, account.listSessions, (_input, context) => listSessions(identity, context));
  route(http, account.endSession, async ({ params }, context) => {
    await endOneSession(identity, params.id, context);
    return null;
  });
  route(http, account.endOtherSessions, (_input, context) => endOtherSessions(identity, context));
  route(http, account.listTrustedBrowsers, (_input, context) => listTrustedBrowsers(identity, context));
  route(http, account.removeTrustedBrowser, async ({ params }, context) => {
    await removeTrustedBrowser(identity, params.id, context);
    return null;
  });
  route(http, account.removeTrustedBrowsers, (_input, context) => removeTrustedBrowsers(identity, context));
}

function registerPasskeyRoutes(http: Http, identity: Identity): void {
  route(http, account.listPasskeys, (_input, context) => listPasskeys(identity, context));
  route(http, account.startPasskey, ({ body }, context) => startPasskey(identity, body.proof, context));
  route(http, account.addPasskey, ({ body }, context) => addPasskey(identity, body, context));
  route(http, account.renamePasskey, async ({ params, body }, context) => {
    await renamePasskey(identity, { ...params, ...body }, context);
    return null;
  });
  route(http, account.removePasskey, async ({ params, body }, context) => {
    await removePasskey(identity, { ...params, ...body }, context);
    return null;
  });
  route(http, account.startPasskeyLogin, ({ body }, context) => startPasskeyLogin(identity, body, context));
  route(http, account.loginWithPasskey, ({ body }, context) => loginWithPasskey(identity, body, context));
}
