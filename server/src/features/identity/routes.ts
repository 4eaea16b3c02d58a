import * as calls from '@causeway/contract/identity.ts';
import { type Http, route } from '../../platform/http.ts';
import type { Identity } from './service/identity.ts';
import { login } from './service/login.ts';
import { getUser, setLanguage } from './service/member.ts';
import { bindMfa, getMfa } from './service/mfa.ts';
import { changePassword, forgetPassword } from './service/password.ts';
import { register } from './service/register.ts';
import { requestCode, requestRegisterCode, requestUserCode } from './service/send-code.ts';
import { logout } from './service/session.ts';

export function registerIdentityRoutes(http: Http, identity: Identity): void {
  const { captcha, database, passwords, passwordMaxLength: maxLength } = identity;
  route(http, calls.getCaptcha, () => captcha.challenge());
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
  route(http, calls.getMfa, (_input, context) => getMfa(identity, context));
  route(http, calls.bindMfa, async ({ body }, context) => {
    await bindMfa(identity, body, context);
    return null;
  });
}
