import {
  addDepartment,
  addDepartmentMembers,
  addMember,
  addRole,
  copyRole,
  deleteDepartment,
  deleteMember,
  deleteRole,
  editDepartment,
  editMember,
  editRole,
  getCompanySettings,
  getMemberImpact,
  getMenuGroups,
  listDepartments,
  listMembers,
  listPeople,
  listRoles,
  removeDepartmentMembers,
  resetMemberPassword,
  sendActivation,
  setCompanySettings,
  setMemberLeave,
  setMemberStatus,
} from 'virtual:calls/organisation';
import type { Output } from '@causeway/contract/call.ts';
import type { Department, Member, Role } from '@causeway/contract/organisation.ts';
import type { ContractOf } from '../../lib/light-call.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

export type { Department, Member, Role };
export type Choices = Output<ContractOf<typeof listPeople>>;
export type Impact = Output<ContractOf<typeof getMemberImpact>>;
export type MenuGroups = Output<ContractOf<typeof getMenuGroups>>;
export type Departments = Output<ContractOf<typeof listDepartments>>;
export type DepartmentPerson = Department['members'][number];

/** Members, departments and roles show each other's names and counts: a change of one makes all of them stale. */
const organisation = [
  listMembers,
  listDepartments,
  listRoles,
  listPeople,
  getMemberImpact,
  getCompanySettings,
] as const;
invalidateOn(['organisation'], organisation);
const changes = { invalidates: organisation };

/** One member, by the list of those with this id; `data` is undefined while it is read. */
export function useMember(id: string) {
  return useCall(listMembers, { query: { id, size: '100' } }, { quiet: true });
}

/** Who and what can be chosen: people, roles and departments by name. */
export function useChoices() {
  return useCall(listPeople, {}, { quiet: true });
}

/** What disabling, deleting or demoting a member touches; loaded when the user is about to. */
export function useImpact(id: string, enabled: boolean) {
  return useCall(getMemberImpact, { query: { id } }, { quiet: true, enabled, staleTime_ms: 0 });
}

export function useDepartments() {
  return useCall(listDepartments, { query: {} }, { quiet: true });
}

/** All roles. */
export function useRoles() {
  return useCall(listRoles, {}, { quiet: true, keepPrevious: true });
}

export function useMenuGroups() {
  return useCall(getMenuGroups, {}, { quiet: true });
}

export function useCompanySettings() {
  return useCall(getCompanySettings, {}, { quiet: true });
}

interface Told<Result> {
  /** Told even when what asked has gone from the screen. */
  onSuccess?: (result: Result) => void;
}

export const useAddMember = () => useMutationCall(addMember, changes);
export const useEditMember = () => useMutationCall(editMember, changes);
export const useDeleteMember = (told: Told<unknown>) => useMutationCall(deleteMember, { ...changes, ...told });
export const useSetMemberStatus = () => useMutationCall(setMemberStatus, changes);
export const useSetMemberLeave = () => useMutationCall(setMemberLeave, changes);
export const useResetMemberPassword = () => useMutationCall(resetMemberPassword, changes);
export const useSendActivation = () => useMutationCall(sendActivation, changes);

export const useAddDepartment = () => useMutationCall(addDepartment, changes);
export const useEditDepartment = () => useMutationCall(editDepartment, changes);
export const useDeleteDepartment = () => useMutationCall(deleteDepartment, changes);
export const useAddDepartmentMembers = () => useMutationCall(addDepartmentMembers, changes);
export const useRemoveDepartmentMembers = () => useMutationCall(removeDepartmentMembers, changes);

export const useAddRole = () => useMutationCall(addRole, changes);
export const useEditRole = () => useMutationCall(editRole, changes);
export const useCopyRole = () => useMutationCall(copyRole, changes);
export const useDeleteRole = (told: Told<unknown>) => useMutationCall(deleteRole, { ...changes, ...told });

export const useSetCompanySettings = () => useMutationCall(setCompanySettings, changes);
