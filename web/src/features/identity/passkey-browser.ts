import type {
  AssertionResponse,
  CreationOptions,
  RegistrationResponse,
  RequestOptions,
} from '@causeway/contract/webauthn.ts';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

/** The browser's own dialogs of passkeys. Imported when one is asked for (`load-passkeys.ts`). */

/** Why there is no passkey, when it is no failure. */
export type PasskeyProblem = 'cancelled' | 'known';

export async function makePasskey(options: CreationOptions): Promise<RegistrationResponse | PasskeyProblem> {
  try {
    const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
    return (await startRegistration({ optionsJSON })) as RegistrationResponse;
  } catch (error) {
    return problemOf(error);
  }
}

export async function askPasskey(options: RequestOptions): Promise<AssertionResponse | PasskeyProblem> {
  try {
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
    return (await startAuthentication({ optionsJSON })) as AssertionResponse;
  } catch (error) {
    return problemOf(error);
  }
}

/** Browsers do not tell a site whether the dialog was closed, timed out, or found no passkey. */
function problemOf(error: unknown): PasskeyProblem {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled';
  if (name === 'InvalidStateError') return 'known';
  throw error;
}
