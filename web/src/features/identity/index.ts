/** What the operator's pages of sign-in and account borrow. */
export { AuthenticatorSecret } from './components/authenticator-secret.tsx';
export { CredentialsStep } from './components/credentials-step.tsx';
export { useDeviceName } from './components/device-name.ts';
export { DoneStep } from './components/done-step.tsx';
export { EntryList } from './components/entry-list.tsx';
export { useLongest } from './components/longest-password.ts';
export { NewPasswordFields } from './components/new-password-fields.tsx';
export { PasskeyDialog } from './components/passkey-dialog.tsx';
export { hasPasskeys, loadPasskeys } from './load-passkeys.ts';
export { type WatchWork, withWork } from './proof-of-work.ts';
export {
  type ChangePasswordValues,
  changePasswordCheck,
  checked,
  checkSignIn,
  codeRule,
  confirmRule,
  emailRule,
  newPasswordRule,
  requiredRule,
  type SignInValues,
  targetAfterSignIn,
} from './rules.ts';
export { sealingBy } from './sealing.ts';
