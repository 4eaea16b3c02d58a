import { bindMfa, changePassword, getMfa, getUser, sendUserCode } from 'virtual:calls/identity';
import {
  addPasskey,
  endOtherSessions,
  endSession,
  getRecoveryCodes,
  listPasskeys,
  listSessions,
  listTrustedBrowsers,
  removePasskey,
  removeTrustedBrowser,
  removeTrustedBrowsers,
  renamePasskey,
  renewRecoveryCodes,
  startPasskey,
  unbindMfa,
  updateUser,
} from 'virtual:calls/identity-account';
import { useCall, useMutationCall } from '../../lib/queries.ts';

/** The person signed in, with what account security shows. */
export function useProfile() {
  return useCall(getUser, {}, { quiet: true });
}

export function useUpdateUser() {
  return useMutationCall(updateUser, { invalidates: [getUser] });
}

/**
 * A fresh secret to bind. Asked for only when `wanted`, and never refetched: each response is another secret, and the
 * one on screen must stay the one that the phone has scanned.
 */
export function useBinding(wanted: boolean) {
  return useCall(getMfa, {}, { enabled: wanted, quiet: true, staleTime_ms: Number.POSITIVE_INFINITY });
}

export function useBindMfa() {
  return useMutationCall(bindMfa, { invalidates: [getUser, getRecoveryCodes, listSessions] });
}

/** What was shown to be bound before is stale as well: the next binding begins with another secret. */
export function useUnbindMfa() {
  return useMutationCall(unbindMfa, { invalidates: [getUser, getMfa, getRecoveryCodes] });
}

export function useChangePassword() {
  return useMutationCall(changePassword, { invalidates: [listSessions, listTrustedBrowsers] });
}

export function useSendUserCode() {
  return useMutationCall(sendUserCode);
}

export function useRecoveryCodes() {
  return useCall(getRecoveryCodes, {}, { quiet: true });
}

export function useRenewRecoveryCodes() {
  return useMutationCall(renewRecoveryCodes, { invalidates: [getRecoveryCodes] });
}

export function usePasskeys() {
  return useCall(listPasskeys, {}, { quiet: true });
}

/** A recovery code may have been the proof. */
export function useStartPasskey() {
  return useMutationCall(startPasskey, { invalidates: [getRecoveryCodes] });
}

export function useAddPasskey() {
  return useMutationCall(addPasskey, { invalidates: [listPasskeys] });
}

export function useRenamePasskey() {
  return useMutationCall(renamePasskey, { invalidates: [listPasskeys] });
}

export function useRemovePasskey() {
  return useMutationCall(removePasskey, { invalidates: [listPasskeys, getRecoveryCodes] });
}

export function useSessions() {
  return useCall(listSessions, {}, { quiet: true });
}

export function useEndSession() {
  return useMutationCall(endSession, { invalidates: [listSessions] });
}

export function useEndOtherSessions() {
  return useMutationCall(endOtherSessions, { invalidates: [listSessions] });
}

export function useTrustedBrowsers() {
  return useCall(listTrustedBrowsers, {}, { quiet: true });
}

export function useRemoveTrustedBrowser() {
  return useMutationCall(removeTrustedBrowser, { invalidates: [listTrustedBrowsers] });
}

export function useRemoveTrustedBrowsers() {
  return useMutationCall(removeTrustedBrowsers, { invalidates: [listTrustedBrowsers] });
}
