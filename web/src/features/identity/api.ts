import { bindMfa, changePassword, getMfa, getUser, sendUserCode } from 'virtual:calls/identity';
import { useCall, useMutationCall } from '../../lib/queries.ts';

/** The person signed in, with what account security shows. */
export function useProfile() {
  return useCall(getUser, {}, { quiet: true });
}

/**
 * A fresh secret to bind. Asked for only when `wanted`, and never again by itself: each answer is another secret, and the
 * one on screen must stay the one that the phone has scanned.
 */
export function useBinding(wanted: boolean) {
  return useCall(getMfa, {}, { enabled: wanted, quiet: true, staleTime_ms: Number.POSITIVE_INFINITY });
}

export function useBindMfa() {
  return useMutationCall(bindMfa, { invalidates: [getUser] });
}

export function useChangePassword() {
  return useMutationCall(changePassword);
}

export function useSendUserCode() {
  return useMutationCall(sendUserCode);
}
