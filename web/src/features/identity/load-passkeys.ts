/** The part that talks to the browser's passkeys: loaded when the user asks for a passkey. */
export const loadPasskeys = () => import('./passkey-browser.ts');

/** Whether this browser, at this address, has passkeys at all. */
export function hasPasskeys(): boolean {
  return window.isSecureContext && 'PublicKeyCredential' in window;
}
